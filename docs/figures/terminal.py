"""Draw what commands look like on a terminal: python docs/figures/terminal.py, with the extra test.

Takes a minute: it runs the demo and asks about the node that ranks first, each on a terminal of its own.
"""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from photograph import browsing, keep
from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

COLUMNS = 100
LOOK = "body { padding: 1rem; } pre { font: 14px/1.35 'DejaVu Sans Mono' !important; }"


def main() -> None:
    """The demo, and the reasons for its first node."""
    with tempfile.TemporaryDirectory() as place:
        show("halflabel demo", "terminal-demo.png", Path(place))
        ranked = (Path(place) / "demo" / "run" / "scores.csv").read_text(encoding="utf-8").splitlines()
        first = ranked[1].split(",")[0].strip('"')
        show(f"halflabel explain demo/run {first}", "terminal-explain.png", Path(place))


def show(line: str, name: str, place: Path) -> None:
    """Run a command as on a terminal and photograph what it printed, without the bars that came and went."""
    printed = on_terminal([sys.executable, "-m", *line.split()], place)
    screen = Console(record=True, width=COLUMNS, file=io.StringIO())
    screen.print(Text.from_ansi(f"$ {line}\n{settled(printed)}"))
    page_text = screen.export_html(theme=MONOKAI, inline_styles=True)
    with browsing() as browser:
        page = browser.new_page(viewport={"width": 900, "height": 300})
        page.set_content(page_text)
        page.add_style_tag(content=LOOK)
        keep(page, name, whole=True)


def on_terminal(command: list[str], place: Path) -> str:
    """What a command prints on a terminal of a hundred columns, colours and all."""
    ours, its = pty.openpty()
    setting = os.environ | {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": "50"}
    running = subprocess.Popen(command, cwd=place, stdin=its, stdout=its, stderr=its, env=setting)
    os.close(its)
    printed = b""
    try:
        while chunk := os.read(ours, 65536):
            printed += chunk
    except OSError:  # the other end is closed: the command is done
        pass
    assert running.wait() == 0, printed.decode()
    return printed.decode()


def settled(printed: str) -> str:
    """As the screen looks in the end: lines that were written over, or taken back, are gone."""
    lines: list[str] = []
    for line in printed.replace("\r\n", "\n").split("\n"):
        for _ in re.findall(r"\x1b\[1A", line):
            if lines:
                lines.pop()
        shown = re.sub(r"\x1b\[(?:\?25[lh]|1A|2K|\d*G)", "", line).split("\r")[-1]
        lines.append(shown)
    return "\n".join(lines).strip("\n")


if __name__ == "__main__":
    main()
