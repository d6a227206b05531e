"""
Change modules of the rules in one place at a time, and see which of the changes the tests of the rules notice.

    .venv/bin/python docs/endurance/mutants.py legality scoring --sample 100

What is changed: comparisons, whole numbers, `and` and `or`, `not`, plus and minus, least and most, conditions that are
left out or always hold or never, and faults that are not returned; inside functions only, and not in annotations. The
tests run in a copy of the tree, read once: each change is made in the memory of a process forked for it, which the
first failure ends, and so does a test of more than --limit seconds of its own. The cases and short plays come first,
then the rulebook, then some laws with few examples. Prints a table and the changes that nothing noticed, in Markdown.
"""

import argparse
import ast
import gc
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".*", "node_modules", "__pycache__")
CASES = (
    "cases",
    "going_out",
    "lay_downs",
    "legality",
    "melds",
    "openings",
    "scoring",
    "takes",
    "transitions",
)
STAGES = {
    "the cases and short plays": [f"tests/rules/test_{name}.py" for name in CASES],
    "the rulebook": [f"tests/rulebook/test_{chapter}_" for chapter in range(1, 12)],
    "the laws": [f"tests/laws/test_{name}_laws.py" for name in ("small", "list", "action")],
}
SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
UNSEEN = {"annotation", "returns", "decorator_list", "bases"}
"""Fields of the syntax in which nothing is changed."""


@dataclass(frozen=True)
class Change:
    """Another node, and where it is put."""

    parent: ast.AST
    field: str
    place: int | None
    """In the field, where that is a list."""

    node: ast.AST
    line: int
    told: str
    """The code before and after."""

    def code(self, tree: ast.Module, name: str) -> CodeType:
        """Return what *tree* compiles to with this change, and leave it as it was."""
        held = getattr(self.parent, self.field)
        before = held if self.place is None else held[self.place]
        self._put(self.node)
        try:
            return compile(ast.fix_missing_locations(tree), name, "exec")
        finally:
            self._put(before)

    def _put(self, node: ast.AST) -> None:
        if self.place is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.place] = node


def changes(parent: ast.AST, *, within: bool = False) -> Iterator[Change]:
    """Yield the changes below *parent*; *within* a function or outside of any."""
    within = within or isinstance(parent, ast.FunctionDef)
    for field, value in ast.iter_fields(parent):
        if field in UNSEEN:
            continue
        for place, node in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(node, ast.AST):
                continue
            for other in variants(parent, field, node) if within else ():
                told = f"`{_written(node)}` → `{_written(other)}`"
                at = place if isinstance(value, list) else None
                yield Change(parent, field, at, other, getattr(node, "lineno", 0), told)
            yield from changes(node, within=within)


def _written(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0].strip()


def variants(parent: ast.AST, field: str, node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand for *node* in a *field* of *parent*."""
    if field in ("test", "ifs"):
        yield ast.Constant(False)
        if not isinstance(parent, ast.While):
            yield ast.Constant(True)
    match node:
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Compare(left, ops, others):
            for place, op in enumerate(ops):
                for swap in SWAPS[type(op)]:
                    yield ast.Compare(left, [*ops[:place], swap(), *ops[place + 1 :]], others)
        case ast.BoolOp(op, values):
            yield from (ast.BoolOp(swap(), values) for swap in SWAPS[type(op)])
            for place in range(len(values)):
                rest = [*values[:place], *values[place + 1 :]]
                yield ast.BoolOp(op, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, op, right):
            yield from (ast.BinOp(left, swap(), right) for swap in SWAPS.get(type(op), ()))
        case ast.AugAssign(target, op, value):
            yield from (ast.AugAssign(target, swap(), value) for swap in SWAPS.get(type(op), ()))
        case ast.Call(ast.Name(name), args, keywords) if name in NAMES:
            yield ast.Call(ast.Name(NAMES[name], ast.Load()), args, keywords)
        case ast.Return(ast.Name() | ast.Call(ast.Name("Fault"))):
            yield ast.Return(ast.Constant(None))


def functions(space: dict[str, object], module: str) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions and methods that *module* defines, by their names; *space* is what it holds."""
    for value in list(space.values()):
        value = getattr(value, "fget", None) or getattr(value, "__wrapped__", value)
        if getattr(value, "__module__", None) != module:
            continue
        if isinstance(value, FunctionType):
            yield value.__qualname__, value
        elif isinstance(value, type):
            yield from functions(dict(vars(value)), module)


def put_in(module: ModuleType, code: CodeType) -> None:
    """Have the functions of *module* do what those in *code* do."""
    space: dict[str, object] = {"__name__": module.__name__}
    exec(code, space)
    changed = dict(functions(space, module.__name__))
    for name, function in functions(vars(module), module.__name__):
        if name in changed:
            function.__code__ = changed[name].__code__
            function.__defaults__ = changed[name].__defaults__
            function.__kwdefaults__ = changed[name].__kwdefaults__


def caches() -> list[Callable[[], object]]:
    """Return what forgets all that the rules have worked out so far: cached results, and tables that fill."""
    modules = [module for name, module in sys.modules.items() if name.startswith("referee.rules.")]
    cached = {id(value): value for module in modules for value in vars(module).values()}
    clears = [value.cache_clear for value in cached.values() if hasattr(value, "cache_clear")]
    tables = [each for each in gc.get_objects() if type(each).__module__.startswith("referee.rules.")]
    return clears + [table.clear for table in tables if isinstance(table, dict)]


class Mutants:
    """A pytest plugin that, in the place of the tests, runs them for each change."""

    def __init__(self, given: argparse.Namespace) -> None:
        self.given = given
        self.kills: Counter[str] = Counter()
        """By test: those that noticed the most run first in their stage."""
        self.rows: list[str] = []
        self.survivors: list[str] = []
        self.caches: list[Callable[[], object]] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all changes of all modules."""
        from hypothesis import Phase, settings  # pytest wants to be the first to import it

        few = settings(max_examples=self.given.examples, phases=[Phase.explicit, Phase.generate])
        settings.register_profile("few", parent=few)
        settings.load_profile("few")
        stages = [
            [item for item in session.items if item.nodeid.startswith(tuple(paths))]
            for paths in STAGES.values()
        ]
        for item in [item for items in stages for item in items]:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            assert not session.testsfailed, f"{item.nodeid} fails without any change"
        self.caches = caches()
        gc.freeze()
        for name in self.given.modules:
            self.rows.append(self.run_module(stages, importlib.import_module(f"referee.rules.{name}")))
        return True

    def run_module(self, stages: list[list[pytest.Item]], module: ModuleType) -> str:
        """Return the row of the table for *module*."""
        assert module.__file__ is not None
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        every = list(changes(tree))
        number = min(self.given.sample or len(every), len(every))
        chosen = random.Random(self.given.seed).sample(range(len(every)), number)
        name, counts = module.__name__.rpartition(".")[2], Counter[str]()
        for change in (every[place] for place in sorted(chosen)):
            code = change.code(tree, module.__file__)
            noticed = self.forked(stages, lambda code=code: put_in(module, code))  # type: ignore[misc]
            counts[noticed or ""] += 1
            if noticed is None:
                self.survivors.append(f"* `{name}` {change.line}: {change.told}")
            print(f"{name} {change.line}: {change.told}: {noticed}", file=sys.stderr, flush=True)
        by = " | ".join(str(counts[stage]) for stage in (*STAGES, "the limit", ""))
        return f"| `{name}` | {len(every)} | {number} | {by} |"

    def forked(self, stages: list[list[pytest.Item]], prepare: Callable[[], None]) -> str | None:
        """Return what noticed something once *prepare* was called in a process of its own; None if nothing did."""
        for items in stages:
            items.sort(key=lambda item: -self.kills[item.nodeid])
        reading, writing = os.pipe()
        if not (child := os.fork()):
            self.run_tests(stages, prepare, writing)
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as pipe:
            failed = pipe.read()
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return "the limit"
        assert os.waitstatus_to_exitcode(status) == 0, "the tests did not come to an end"
        self.kills[failed] += 1
        return next((stage for stage, paths in STAGES.items() if failed.startswith(tuple(paths))), None)

    def run_tests(self, stages: list[list[pytest.Item]], prepare: Callable[[], None], writing: int) -> None:
        """Run the tests in this forked process, and leave it with the first that fails, which *writing* is told."""
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        try:
            prepare()
            for forget in self.caches:
                forget()
            for item in [item for items in stages for item in items]:
                signal.setitimer(signal.ITIMER_VIRTUAL, self.given.limit)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                if item.session.testsfailed:
                    os.write(writing, item.nodeid.encode())
                    break
            os._exit(0)
        finally:
            os._exit(1)


def main() -> None:
    """Run what the command line asks for, and print what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("modules", nargs="+", help="of referee.rules: legality, plan, ...")
    parser.add_argument("--sample", type=int, help="changes of each module; all if left out")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--limit", type=float, default=5, help="seconds that a test may compute")
    parser.add_argument("--examples", type=int, default=20, help="of each law")
    mutants = Mutants(parser.parse_args())
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = shutil.copytree(ROOT, Path(folder) / "tree", ignore=LEFT_OUT)
        os.chdir(copy)
        sys.path[:0] = [str(copy), str(copy / "clients" / "python" / "src")]
        paths = [
            str(path) for starts in STAGES.values() for start in starts for path in copy.glob(f"{start}*")
        ]
        code = pytest.main(["-q", "-s", "--tb=line", "-p", "no:cacheprovider", *paths], [mutants])
    print(f"| module | changes | tried | noticed by {' | by '.join(STAGES)} | by the limit | by nothing |")
    print("|---|" + "---:|" * (len(STAGES) + 4))
    print("\n".join([*mutants.rows, "", *mutants.survivors]))
    sys.exit(code)


if __name__ == "__main__":
    main()
