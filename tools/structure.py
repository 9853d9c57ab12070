"""Prints one table with the signs of structure of the working tree: package cycles, small modules, naming and others.

    python tools/structure.py                              the table
    python tools/structure.py --layers                     also the layers of packages, the lowest first
    python tools/structure.py --details                    also the places that each number counts
    python tools/structure.py --kernel-option max_lattice  measure by another option of the MaxMatch kernel

Everything is read from the source. Only the number of frames needs recte installed from this tree.
Import statements count wherever they stand: in functions and under TYPE_CHECKING too. An import of a public name counts
as one of the module that the package's table EXPORTS gives for it. Names of modules in strings, as in registries, do
not count; `tests/test_architecture.py` has rules for these.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import re
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "recte"
KERNELS = ROOT / "cpp"
KERNEL_OPTION = "max_unchanged_words"  # a field of the metric that the search in C++ reads
SMALL_MODULE = 40  # lines
STUDIES = "studies"  # the package whose subpackages are nodes of their own
NAMESPACE_NAMES = {"arguments", "args", "namespace", "parsed"}
NOT_DESCRIPTIVE = {"found", "one", "own", "said", "kept", "wanted", "given"}
CHOICE_MESSAGE = "expected one of"
# Words that end in "ed" and are no participles, and participles that do not end in "ed".
NO_PARTICIPLES = {
    "bed",
    "bleed",
    "breed",
    "embed",
    "exceed",
    "feed",
    "need",
    "proceed",
    "red",
    "seed",
    "speed",
    "succeed",
}
IRREGULAR_PARTICIPLES = {
    *(
        "begun",
        "bound",
        "broken",
        "built",
        "chosen",
        "done",
        "drawn",
        "found",
        "given",
        "gone",
        "heard",
        "held",
        "kept",
    ),
    *("known", "left", "lost", "made", "meant", "met", "said", "seen", "sent", "shown", "spoken", "taken", "thrown"),
    *("told", "understood", "won", "written"),
}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PROPERTIES = {"property", "cached_property", "setter"}

Graph = Mapping[str, set[str]]


@dataclass(frozen=True)
class Module:
    """A Python file of the package, with its dotted name."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text("utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, str(self.path))

    def place(self, node: ast.AST, what: str = "") -> str:
        """`module:line what`, to find a node of this module."""
        return f"{self.name}:{getattr(node, 'lineno', 1)} {what}".rstrip()


@dataclass(frozen=True)
class Sign:
    """One row of the table, and the places that its number counts."""

    name: str
    value: str
    places: list[str] = field(default_factory=list)


@cache
def read_modules(package: Path) -> dict[str, Module]:
    """The modules of a package by dotted name; a package has the name of its folder."""
    modules = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules[name] = Module(name, path)
    return modules


def imported_names(module: Module) -> Iterator[tuple[str, str]]:
    """For each import in a module: the imported module, and the name taken from it or an empty string."""
    is_package = module.path.stem == "__init__"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.name.split(".")
                parents = parents[: len(parents) - node.level + is_package]
                base = ".".join([*parents, base] if base else parents)
            yield from ((base, alias.name) for alias in node.names)


def exported_names(module: Module) -> dict[str, str]:
    """The names in a package's table EXPORTS, and the module that each comes from."""
    names: dict[str, str] = {}
    for node in module.tree.body:
        if (
            isinstance(node, ast.Assign)
            and ast.unparse(node.targets[0]) == "EXPORTS"
            and isinstance(node.value, ast.Dict)
        ):
            for home, public in zip(node.value.keys, node.value.values, strict=True):
                if home is not None:  # not `**registry`, which has names of the package's own
                    names |= dict.fromkeys(ast.literal_eval(public), ast.literal_eval(home))
    return names


def modules_in_strings(package: Path) -> dict[str, set[str]]:
    """For each module of a package, the modules of the same package that its strings name: `a.b`, or `a.b:name`."""
    modules = read_modules(package)
    return {
        name: {
            node.value.partition(":")[0]
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        & modules.keys() - {name, package.name}
        for name, module in modules.items()
    }


def import_graph(package: Path) -> dict[str, set[str]]:
    """For each module of a package, by dotted name, the modules of the same package that it imports.

    `from a import b` is an import of `a.b` where that is a module, of the module that has `b` where `a` is a package
    with a table of public names, and of `a` elsewhere.
    """
    modules = read_modules(package)
    exports = {
        (name, public): home for name, module in modules.items() for public, home in exported_names(module).items()
    }
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for name, module in modules.items():
        for base, attribute in imported_names(module):
            submodule = f"{base}.{attribute}"
            imported = submodule if submodule in modules else exports.get((base, attribute), base)
            if imported in modules and imported != name:
                graph[name].add(imported)
    return graph


def package_of(module: str) -> str | None:
    """The node of a module in the graph of packages; None for `__init__` and `__main__` at the root.

    >>> package_of("recte.metrics.base"), package_of("recte.errors"), package_of("recte.studies.human.ranking")
    ('metrics', 'errors', 'studies.human')
    """
    parts = module.split(".")[1:]
    if not parts or parts == ["__main__"]:
        return None
    return ".".join(parts[:2]) if parts[0] == STUDIES else parts[0]


def package_graph(package: Path) -> dict[str, set[str]]:
    """For each top-level package or module, and each package of `studies`, the others that it imports."""
    graph: dict[str, set[str]] = {}
    for module, imports in import_graph(package).items():
        node = package_of(module)
        if node is not None:
            targets = {package_of(imported) for imported in imports}
            graph.setdefault(node, set()).update(target for target in targets if target and target != node)
    return graph


def reachable_nodes(graph: Graph, start: str) -> set[str]:
    """The nodes that one can reach from a node by at least one edge."""
    reached: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting.extend(graph[node])
    return reached


def mutual_imports(graph: Graph) -> dict[str, frozenset[str]]:
    """For each node, the nodes that it can reach and that can reach it, itself included."""
    reached = {node: reachable_nodes(graph, node) for node in graph}
    return {node: frozenset({node, *(other for other in reached[node] if node in reached[other])}) for node in graph}


def find_cycles(graph: Graph) -> list[list[str]]:
    """The groups of nodes that import each other, directly or through others; an empty list where there is none."""
    return sorted(sorted(group) for group in set(mutual_imports(graph).values()) if len(group) > 1)


def layers(graph: Graph) -> list[list[str]]:
    """The nodes by level: the first imports nothing, each other one only lower levels and its own cycle."""
    groups = mutual_imports(graph)
    levels: dict[frozenset[str], int] = {}

    def level_of(group: frozenset[str]) -> int:
        if group not in levels:
            imports = {groups[imported] for node in group for imported in graph[node]} - {group}
            levels[group] = 1 + max(map(level_of, imports), default=-1)
        return levels[group]

    result: list[list[str]] = [[] for _ in range(1 + max(map(level_of, groups.values()), default=-1))]
    for node in sorted(graph):
        result[levels[groups[node]]].append(node)
    return result


def count_importers(graph: Graph) -> dict[str, int]:
    """How many modules import each module."""
    importers = dict.fromkeys(graph, 0)
    for imports in graph.values():
        for imported in imports:
            importers[imported] += 1
    return importers


def count_frames_to_kernel(package: Path) -> int:
    """Python frames from the script `recte` to the call of the MaxMatch kernel; those of both ends count.

    Runs `recte score` on two tiny files in a process of its own. Raises `SystemExit` if that fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        gold, system = Path(folder, "gold.m2"), Path(folder, "system.txt")
        gold.write_text("S He go home .\nA 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n\n", "utf-8")
        system.write_text("He goes home .\n", "utf-8")
        code = "import sys, structure; structure.print_frames(*sys.argv[1:])"
        command = [sys.executable, "-c", code, str(package), "score", str(gold), str(system)]
        done = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True)
    if done.returncode:
        reason = "".join(done.stderr.strip().splitlines()[-1:])
        raise SystemExit(f"the frames from script to kernel could not be counted: {reason}")
    return int(done.stdout)


def print_frames(package: str, *arguments: str) -> None:
    """Run recte with these arguments and print how many frames lead to the first call of the MaxMatch kernel.

    The frame of this function counts as that of the script, since it calls the same function.
    """
    import recte
    from recte import _kernels

    if Path(recte.__file__).resolve().parent != Path(package).resolve():
        sys.exit("expected recte installed from this tree; run tools/structure.py by the Python of its .venv")
    depths: list[int] = []
    for name in dir(_kernels):
        kernel = getattr(_kernels, name)
        if "maxmatch" in name.lower() and callable(kernel) and not isinstance(kernel, type):
            setattr(_kernels, name, record_depth(kernel, depths))
    module, _, function = script_target().partition(":")
    with contextlib.redirect_stdout(io.StringIO()):
        code = getattr(import_module(module), function)(list(arguments))
    if code or not depths:
        sys.exit(f"expected a call of a kernel with maxmatch in its name, got {len(depths)} calls, exit code {code}")
    print(depths[0])


def record_depth(kernel: Callable[..., object], depths: list[int]) -> Callable[..., object]:
    """The kernel, as a function that first appends the number of frames from `print_frames` to its caller."""

    def call_kernel(*args: object, **kwargs: object) -> object:
        frame: FrameType | None = sys._getframe(1)
        depth = 1
        while frame is not None and frame.f_code is not print_frames.__code__:
            frame, depth = frame.f_back, depth + 1
        if frame is not None:  # None in a thread of its own
            depths.append(depth)
        return kernel(*args, **kwargs)

    return call_kernel


def script_target() -> str:
    """`module:function` of the script `recte`, from pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["scripts"]["recte"])


def files_naming(word: str, folders: Iterable[Path]) -> list[str]:
    """The files of Python and C++ that name a word, stubs included."""
    endings = {".py", ".pyi", ".cpp", ".hpp"}
    paths = (path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix in endings)
    return [
        str(path.relative_to(ROOT)) for path in paths if re.search(rf"\b{re.escape(word)}\b", path.read_text("utf-8"))
    ]


def docstrings(tree: ast.Module) -> list[ast.Constant]:
    """The docstrings of a module, its classes and functions."""
    owners = (node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS)))
    first = (owner.body[0] for owner in owners if owner.body)
    values = (statement.value for statement in first if isinstance(statement, ast.Expr))
    return [value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)]


def count_code_lines(module: Module) -> int:
    """Lines of a module without docstrings, comments and blank lines."""
    no_code = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type not in no_code:
            lines.update(range(token.start[0], token.end[0] + 1))
    for docstring in docstrings(module.tree):
        lines.difference_update(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    return len(lines)


def find_calls(module: Module, attribute: str) -> list[str]:
    """Where a method of this name is called."""
    return [
        module.place(node)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == attribute
    ]


def is_namespace(node: ast.expr) -> bool:
    """Whether an expression is a variable with a usual name of an `argparse.Namespace`."""
    return isinstance(node, ast.Name) and node.id in NAMESPACE_NAMES


def find_namespace_calls(module: Module, functions: set[str]) -> list[str]:
    """Where one of these functions has an `argparse.Namespace` as its first argument."""
    return [
        module.place(node, node.func.id)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions
        if node.args and is_namespace(node.args[0])
    ]


def find_namespace_writes(module: Module) -> list[str]:
    """Where an attribute of an `argparse.Namespace` is set or deleted."""
    attributes = (
        node for node in ast.walk(module.tree) if isinstance(node, ast.Attribute) and is_namespace(node.value)
    )
    writes = [module.place(node, node.attr) for node in attributes if not isinstance(node.ctx, ast.Load)]
    return writes + find_namespace_calls(module, {"setattr", "delattr"})


def find_messages(module: Module, text: str) -> list[str]:
    """Strings that contain a text, those between the fields of f-strings too; docstrings aside."""
    ignored = set(map(id, docstrings(module.tree)))
    return [
        module.place(node, repr(node.value.strip()))
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if text in node.value and id(node) not in ignored
    ]


def find_shared_class_names(modules: Iterable[Module]) -> list[str]:
    """Names of public classes, at the top of a module, that more than one module defines, with those modules."""
    modules_by_name: dict[str, list[str]] = {}
    for module in modules:
        names = {node.name for node in module.tree.body if isinstance(node, ast.ClassDef)}
        for name in names:
            if not name.startswith("_"):
                modules_by_name.setdefault(name, []).append(module.name)
    return [f"{name}: {', '.join(places)}" for name, places in sorted(modules_by_name.items()) if len(places) > 1]


def begins_with_participle(name: str) -> bool:
    """Whether the first word of a name is a participle.

    >>> begins_with_participle("_counted_edits"), begins_with_participle("count_edits"), begins_with_participle("seed")
    (True, False, False)
    """
    word = name.lstrip("_").split("_")[0]
    return word in IRREGULAR_PARTICIPLES or (word.endswith("ed") and word not in NO_PARTICIPLES)


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method is used as an attribute; such names need not be verbs."""
    names = (ast.unparse(decorator).split(".")[-1] for decorator in function.decorator_list)
    return any(name in PROPERTIES for name in names)


def find_participles(module: Module) -> list[str]:
    """Functions and methods whose name begins with a participle; properties aside."""
    functions = (node for node in ast.walk(module.tree) if isinstance(node, FUNCTIONS))
    return [
        module.place(function, function.name)
        for function in functions
        if begins_with_participle(function.name) and not is_property(function)
    ]


def find_bindings(module: Module, names: set[str]) -> list[str]:
    """Where a variable of one of these names gets a value; parameters aside."""
    return [
        module.place(node, node.id)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in names
    ]


def count_places(name: str, places: Iterable[str]) -> Sign:
    """A row whose value is the number of places."""
    listed = list(places)
    return Sign(name, str(len(listed)), listed)


def measure_graph(package: Path) -> list[Sign]:
    """The rows on packages and modules."""
    modules, graph = read_modules(package), import_graph(package)
    cycles = find_cycles(package_graph(package))
    importers = count_importers(graph)
    lines = {name: len(module.text.splitlines()) for name, module in modules.items()}
    no_init = [name for name, module in modules.items() if module.path.stem != "__init__"]
    small = [name for name in no_init if lines[name] < SMALL_MODULE]
    single = [name for name in modules if importers[name] == 1]
    code = sum(count_code_lines(module) for module in modules.values())
    return [
        Sign("packages in a cycle", str(sum(map(len, cycles))), [", ".join(cycle) for cycle in cycles]),
        count_places(f"modules under {SMALL_MODULE} lines, __init__ aside", small),
        count_places("modules with a single importer", single),
        count_places(f"modules under {SMALL_MODULE} lines with a single importer", sorted({*small} & {*single})),
        Sign("Python modules", str(len(modules))),
        Sign("lines of code", f"{code:,}"),
    ]


def measure_source(package: Path) -> list[Sign]:
    """The rows on calls, messages and names."""
    modules = list(read_modules(package).values())

    def count_in_modules(name: str, find: Callable[[Module], list[str]]) -> Sign:
        return count_places(name, (place for module in modules for place in find(module)))

    reads = {"getattr", "hasattr", "vars"}
    return [
        count_in_modules("calls of add_argument", lambda module: find_calls(module, "add_argument")),
        count_in_modules("reads of a Namespace by string", lambda module: find_namespace_calls(module, reads)),
        count_in_modules("writes to a Namespace", find_namespace_writes),
        count_in_modules(f"messages with {CHOICE_MESSAGE!r}", lambda module: find_messages(module, CHOICE_MESSAGE)),
        count_places("public class names in several modules", find_shared_class_names(modules)),
        count_in_modules("functions named by a participle", find_participles),
        count_in_modules(
            f"variables named {', '.join(sorted(NOT_DESCRIPTIVE))}",
            lambda module: find_bindings(module, NOT_DESCRIPTIVE),
        ),
    ]


def measure_kernel(package: Path, option: str) -> list[Sign]:
    """The rows on the way to the MaxMatch kernel."""
    return [
        Sign("frames from script to MaxMatch kernel", str(count_frames_to_kernel(package))),
        count_places(f"files that name the kernel option {option}", files_naming(option, (package, KERNELS))),
    ]


def print_table(signs: Iterable[Sign], *, details: bool) -> None:
    """Print a line for each sign; with details, also its places."""
    rows = list(signs)
    width = max(len(sign.name) for sign in rows)
    number_width = max(len(sign.value) for sign in rows)
    for sign in rows:
        print(f"{sign.name:<{width}}  {sign.value:>{number_width}}")
        if details:
            for place in sign.places:
                print(f"    {place}")


def main() -> None:
    """Print what the command line asks for."""
    parser = argparse.ArgumentParser(description="Print the signs of structure of the working tree.")
    parser.add_argument("--layers", action="store_true", help="also print the layers of packages, the lowest first")
    parser.add_argument("--details", action="store_true", help="also print the places that each number counts")
    parser.add_argument("--kernel-option", default=KERNEL_OPTION, help="the option whose files are counted")
    options = parser.parse_args()
    graph_signs = measure_graph(PACKAGE)
    signs = [
        graph_signs[0],
        *measure_kernel(PACKAGE, options.kernel_option),
        *graph_signs[1:],
        *measure_source(PACKAGE),
    ]
    print_table(signs, details=options.details)
    if options.layers:
        print("\nlayers, the lowest first")
        for level, nodes in enumerate(layers(package_graph(PACKAGE))):
            print(f"{level:>3}  {', '.join(nodes)}")


if __name__ == "__main__":
    main()
