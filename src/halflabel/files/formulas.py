"""Ids in CSV files that a spreadsheet must not take for formulas: a quote before them, and off again.

A cell that begins with = + - @ or a tab is run when a spreadsheet opens the file; after a ' it is text.
"""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

# Full-width forms count too. Quotes before such a sign are part of the id: they get one more, so that taking
# one away always gives the id back.
DANGEROUS = r"^'*[=+\-@\t\r\n\x{ff1d}\x{ff0b}\x{ff0d}\x{ff20}]"
NUMBER = r"^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$"


def guard(table: pa.Table) -> pa.Table:
    """The table with a quote before every text that a spreadsheet would run; numbers stay as they are.

    >>> table = pa.table({"id": ["ann", "=1+1", "-5", "'=x"], "score": [-0.5, 1.0, 2.0, 3.0]})
    >>> guard(table)["id"].to_pylist(), guard(table)["score"].to_pylist()
    (['ann', "'=1+1", '-5', "''=x"], [-0.5, 1.0, 2.0, 3.0])
    """
    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type):
            table = table.set_column(place, field, _guarded(table.column(place)))
    return table


def unguard(ids: pa.Array) -> pa.Array:
    """Texts without the quote that `guard` put there.

    >>> unguard(pa.array(["ann", "'=1+1", "'tis"])).to_pylist()
    ['ann', '=1+1', "'tis"]
    """
    return pc.if_else(is_guarded(ids), pc.utf8_slice_codeunits(ids, 1), ids)


def is_guarded(ids: pa.Array) -> pa.Array:
    """Which texts look as if `guard` had been there.

    >>> is_guarded(pa.array(["ann", "'=1+1", "=1+1"])).to_pylist()
    [False, True, False]
    """
    return pc.and_(pc.starts_with(ids, "'"), pc.match_substring_regex(ids, DANGEROUS))


def _guarded(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    runs = pc.and_not(pc.match_substring_regex(texts, DANGEROUS), pc.match_substring_regex(texts, NUMBER))
    quoted = pc.binary_join_element_wise(pa.scalar("'", texts.type), texts, pa.scalar("", texts.type))
    return pc.if_else(runs, quoted, texts)
