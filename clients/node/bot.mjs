// A bot for Hand and Foot on Node. It plays the most valuable of the legal actions that it is sent.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

const { HANDFOOT_ADDRESS: address, HANDFOOT_TOKEN: token, HANDFOOT_CA: ca, HANDFOOT_PROTO } = process.env;

// ---------------------------------------------------------------- how it plays

const RANKS = ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "joker", "3"]; // as in Ruleset.card_points

function rankOf(card) {
  const name = card.slice("CARD_".length);
  return name === "JR" || name === "JB" ? "joker" : name[0];
}

// How much the cards of a lay-down are worth, and more so where they complete a book of seven.
function worth(table, entries, observation) {
  const sizes = observation.meld_sizes;
  return entries.reduce((sum, { target, cards }) => {
    const before = target === undefined ? 0 : sizes[target];
    const book = before < 7 && before + cards.length >= 7 ? 300 : 0;
    return sum + book + cards.reduce((points, card) => points + table.pointsOf(card), 0);
  }, 0);
}

// What it costs to part with a card: wild cards and beginnings of melds are kept.
function cost(table, card, holding) {
  const rank = rankOf(card);
  const same = holding.filter((other) => rankOf(other) === rank).length;
  const wild = rank === "2" || rank === "joker";
  return table.pointsOf(card) / 10 + same * 4 + (wild ? 50 : 0);
}

function value(table, action, { public: open, private: own }) {
  switch (action.kind) {
    case "lay_down":
      return 2000 + worth(table, action.lay_down.melds, open);
    case "take_pile":
      return 1000 + action.take_pile.count * 10 + worth(table, action.take_pile.melds, open);
    case "ask_partner":
      return 900;
    case "draw_stock":
      return 500;
    case "discard":
      return 400 - cost(table, action.discard.card, own.holding);
    case "answer_partner":
      return action.answer_partner.agree ? 1 : 0;
    default:
      return 0;
  }
}

function choose(table, request) {
  const allowed = request.legal_actions.filter((action) => !table.refused.has(JSON.stringify(action)));
  const [first, ...others] = allowed.map((action) => [value(table, action, request.observation), action]);
  return others.reduce((best, next) => (next[0] > best[0] ? next : best), first)[1];
}

// ---------------------------------------------------------------- how it talks

const folder = [HANDFOOT_PROTO, ...["../../proto", "proto"].map((path) => fileURLToPath(new URL(path, import.meta.url)))]
  .filter(Boolean)
  .find((path) => existsSync(`${path}/handfoot/v1/referee_service.proto`));
if (!address || !token) fail("HANDFOOT_ADDRESS and HANDFOOT_TOKEN are not set; the referee sets them");
if (!folder) fail("no protocol found: run npm ci, or let HANDFOOT_PROTO name the folder");

const options = { includeDirs: [folder], keepCase: true, longs: String, enums: String, oneofs: true, arrays: true };
const definition = loadSync("handfoot/v1/referee_service.proto", options);
const { RefereeService } = grpc.loadPackageDefinition(definition).handfoot.v1;
const credentials = ca ? grpc.credentials.createSsl(readFileSync(ca)) : grpc.credentials.createInsecure();
const keepalive = address.startsWith("unix:") ? {} : { "grpc.keepalive_time_ms": 30_000 };
const client = new RefereeService(address, credentials, keepalive);
const { OK, UNAVAILABLE, INTERNAL, UNKNOWN, CANCELLED } = grpc.status;
const PAUSES = [100, 300, 1000, 2000, 4000]; // milliseconds before each attempt to come back
const tables = new Map();
let session; // what the referee knows this process by, once it is welcome
let pauses = [...PAUSES];

function fail(reason) {
  console.error(`node bot: ${reason}`);
  process.exit(1);
}

function sitDown(seated) {
  const points = new Map(RANKS.map((rank, index) => [rank, seated.ruleset.card_points[index]]));
  tables.set(seated.table_id, { pointsOf: (card) => points.get(rankOf(card)), refused: new Set(), asked: 0 });
  return { table_id: seated.table_id };
}

function hear({ table_id, reason, index }) {
  console.error(`refused: ${reason}`);
  const table = tables.get(table_id);
  if (table?.said && index !== undefined) table.refused.add(JSON.stringify(table.said[index]));
}

function decide(request) {
  const { table_id, seat, request_id } = request;
  const table = tables.get(table_id);
  if (request_id !== table.asked) table.refused.clear();
  Object.assign(table, { asked: request_id, said: [choose(table, request)] });
  return { table_id, seat, request_id, actions: table.said };
}

function leave({ table_id, result }) {
  console.log(`${result.termination}: ${result.totals.join(" to ")}`);
  tables.delete(table_id);
}

function listen(stream, { welcome, seated, refusals, requests, ended }) {
  const received = performance.now();
  if (welcome) session = welcome.session_id;
  const ready = seated.map(sitDown);
  refusals.forEach(hear);
  const decisions = requests.map(decide);
  const thinking_us = Math.round((performance.now() - received) * 1000);
  for (const decision of decisions) decision.thinking_us = thinking_us;
  ended.forEach(leave);
  if (decisions.length) pauses = [...PAUSES];
  if (ready.length || decisions.length) stream.write({ ready, decisions });
}

// A stream that broke is followed by another one of the same session; what was asked is then asked again.
function comeBack(error) {
  const broke = [UNAVAILABLE, INTERNAL, UNKNOWN, CANCELLED].includes(error.code);
  if (!session || !broke || !pauses.length) fail(error.message);
  setTimeout(dial, pauses.shift());
}

function dial() {
  const stream = client.Play();
  stream.on("data", (message) => listen(stream, message));
  stream.on("error", comeBack);
  stream.on("status", ({ code }) => code === OK && client.close());
  const hello = { token, name: "node", version: "1", language: "node", protocol_versions: [1], session_id: session };
  stream.write({ hello });
}

dial();
