"""Write requirements/ci.txt: what CI installs, each with its version and the hash of its file.

Asks pip what it would install for this Python on this machine, and for nothing else: other machines install
from pyproject.toml. Run by `make lock`.
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
EXTRAS = "test,lint,docs"
BUILD = ("editables",)  # what hatchling needs besides itself for an editable install


def main() -> None:
    """Ask pip, and write the file."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [f"{HERE.parent}[{EXTRAS}]", *project["build-system"]["requires"], *BUILD]
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--ignore-installed", "--quiet",
               "--report", "-", *wanted]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    entries = sorted(entry(item) for item in report["install"] if "dir_info" not in item["download_info"])
    version = ".".join(map(str, sys.version_info[:2]))
    head = (f"# Python {version}, {sys.platform}; extras {EXTRAS}. Written by `make lock`, used by .ci/run.\n"
            "# One file a package, of this platform.\n")
    (HERE / "ci.txt").write_text(head + "".join(entries), encoding="utf-8")
    print(f"requirements/ci.txt: {len(entries)} packages")


def entry(item: dict) -> str:
    """The line of a package."""
    name, version = item["metadata"]["name"].lower().replace("_", "-"), item["metadata"]["version"]
    digest = item["download_info"]["archive_info"]["hashes"]["sha256"]
    if not item["download_info"]["url"].endswith(".whl"):
        sys.exit(f"{name}: no wheel for this platform, and what builds one cannot be locked.")
    return f"{name}=={version} \\\n    --hash=sha256:{digest}\n"


if __name__ == "__main__":
    main()
