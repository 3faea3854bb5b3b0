"""Formulas as MathML, which browsers draw: ```math blocks and $inline$ ones, as GitHub reads them."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor

BLOCK = re.compile(r"^```math\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
INLINE = r"(?<![\\\w$])\$([^\s$`](?:[^$`]*[^\s$`])?)\$(?![\w$])"
# Priorities: after `code` in a line; of blocks, once stray characters are removed and before fences are read.
AFTER_CODE, BEFORE_FENCES = 185, 28


def on_config(config: Any) -> Any:
    """Called by mkdocs before anything is read."""
    config.markdown_extensions.append(Formulas())
    return config


class Formulas(Extension):
    """What `markdown.Markdown` is extended by."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.preprocessors.register(Blocks(md), "formula-blocks", BEFORE_FENCES)
        md.inlinePatterns.register(Inline(INLINE, md), "formulas", AFTER_CODE)


class Blocks(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return BLOCK.sub(self._drawn, "\n".join(lines)).split("\n")

    def _drawn(self, found: re.Match[str]) -> str:
        drawn = convert(found[1].strip(), display="block")
        return "\n" + self.md.htmlStash.store(f'<div class="formula">{drawn}</div>') + "\n"


class Inline(InlineProcessor):
    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element | str, int, int]:  # type: ignore[override]
        return self.md.htmlStash.store(convert(m[1])), m.start(0), m.end(0)
