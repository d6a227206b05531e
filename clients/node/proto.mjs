// Put the protocol beside the bot, so that the folder can be copied to wherever the bot is to play. `npm ci` runs this.
import { cpSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("../../proto/handfoot", import.meta.url));
const target = fileURLToPath(new URL("proto/handfoot", import.meta.url));

if (existsSync(source)) cpSync(source, target, { recursive: true });
else if (!existsSync(target)) throw new Error(`no protocol found: expected a folder ${source} or ${target}`);
