"""Small mistakes made on purpose in a source text, one at a time: the mutants of a module.

| what stands there | what a mutant has instead |
| --- | --- |
| < <= > >= == != is in | the same with or without equality; the opposite |
| + - * / // % ** & and the like | the operation next to it |
| and, or, not x, ~x, -x | or, and, x |
| a number, True, a word | one more, False, another word |
| if, while, a if b else c | the condition turned round |
| f(x, option=y) | f(x) |
| min, any, argmin, minimum, zeros, ... | max, all, argmax, maximum, ones, ... |
| return x, x += y, raise, f(x) on its own | return None, x -= y and x = y, nothing |

Annotations, docstrings, decorators and the text of messages are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from typing import Any, NamedTuple

OPPOSITE: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
    ast.Mod: ast.Div, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.MatMult: ast.Mult,
    ast.And: ast.Or, ast.Or: ast.And,
}
PAIRS = [("min", "max"), ("any", "all"), ("argmin", "argmax"), ("minimum", "maximum"), ("zeros", "ones"),
         ("floor", "ceil"), ("left", "right"), ("zeros_like", "ones_like"), ("clamp_min", "clamp_max")]
TWIN = {**dict(PAIRS), **{second: first for first, second in PAIRS}}
TURNED_BY_OPPOSITE = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)


class Mutant(NamedTuple):
    """The whole changed source, and what was changed in it; `function` is the line its outermost function
    starts at, 0 if it is in none."""

    line: int
    column: int
    before: str
    after: str
    function: int
    source: str


def mutants_of(source: str) -> list[Mutant]:
    """Every mutant, in the order of the text.

    >>> [(m.before, m.after) for m in mutants_of("def f(x):\\n    return x < 3")]
    [('return x < 3', 'return None'), ('x < 3', 'x <= 3'), ('3', '4')]
    """
    text, seen, mutants = source.encode(), set(), []
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, function, changes in _places(ast.parse(source), 0):
        where = node.lineno, node.col_offset
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        for after in changes:
            inserted = after if isinstance(node, ast.stmt) else f"({after})"
            changed = (text[:begin] + inserted.encode() + text[end:]).decode()
            if changed not in seen:
                seen.add(changed)
                mutants.append(Mutant(*where, ast.unparse(node), after, function, changed))
    return mutants


def _places(node: ast.AST, function: int) -> Iterator[tuple[Any, int, Iterator[str]]]:
    """Statements and expressions, each with the line of its function and what may stand there instead."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_text(child) or _names_types(node, child):
                continue
            inside = function
            if isinstance(child, ast.FunctionDef) and not function:
                inside = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            if isinstance(child, (ast.expr, ast.stmt)):
                yield child, inside, _changes(child)
            if isinstance(child, (ast.If, ast.IfExp, ast.While)) and not _is_turned_anyway(child.test):
                yield child.test, inside, iter([ast.unparse(ast.UnaryOp(ast.Not(), child.test))])
            if not isinstance(child, ast.Raise):
                yield from _places(child, inside)


def _is_text(node: ast.AST) -> bool:
    """Docstrings and messages."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    spaced = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    return isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)) or spaced


def _names_types(parent: ast.AST, node: ast.AST) -> bool:
    """A = B | C, A = Literal[...] and __all__ at the top of a module."""
    if not isinstance(parent, ast.Module) or not isinstance(node, ast.Assign):
        return False
    union = isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.BitOr)
    return union or isinstance(node.value, ast.Subscript) or ast.unparse(node.targets[0]) == "__all__"


def _changes(node: Any) -> Iterator[str]:
    """What may stand in place of a node."""
    match node:
        case ast.Compare():
            for i, op in enumerate(node.ops):
                yield _with(node, ops=[*node.ops[:i], OPPOSITE[type(op)](), *node.ops[i + 1:]])
        case ast.BinOp() | ast.BoolOp():
            yield _with(node, op=OPPOSITE[type(node.op)]())
        case ast.UnaryOp():
            yield ast.unparse(node.operand)
        case ast.Constant(value=bool()):
            yield repr(not node.value)
        case ast.Constant(value=int() | float()):
            yield repr(node.value + 1)
        case ast.Constant(value=str()):
            yield repr(TWIN.get(node.value, "XX" + node.value))
        case ast.Name(id=name) if name in TWIN:
            yield TWIN[name]
        case ast.Attribute(attr=name) if name in TWIN:
            yield _with(node, attr=TWIN[name])
        case ast.Call():
            for i, keyword in enumerate(node.keywords):
                if keyword.arg is not None:
                    yield _with(node, keywords=[*node.keywords[:i], *node.keywords[i + 1:]])
        case ast.AugAssign():
            yield _with(node, op=OPPOSITE[type(node.op)]())
            yield f"{ast.unparse(node.target)} = {ast.unparse(node.value)}"
        case ast.Return(value=ast.expr()) if ast.unparse(node.value) != "None":
            yield "return None"
        case ast.Raise() | ast.Expr(value=ast.Call()):
            yield "pass"
        case ast.Break():
            yield "continue"


def _is_turned_anyway(test: ast.expr) -> bool:
    """Conditions that another mutant turns round already."""
    if isinstance(test, ast.Compare):
        return len(test.ops) == 1 and isinstance(test.ops[0], TURNED_BY_OPPOSITE)
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _with(node: Any, **fields: Any) -> str:
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return ast.unparse(changed)
