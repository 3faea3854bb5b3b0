"""Wheel and source archive hold the package and nothing else, and the wheel works where it is alone."""

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

import halflabel as hl

ROOT = Path(__file__).parents[2]
NAME = f"halflabel-{hl.__version__}"
INFO = {f"{NAME}.dist-info/{name}" for name in
        ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")}
AROUND = {"README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml", "PKG-INFO", ".gitignore"}


def package_files() -> set[str]:
    source = ROOT / "src"
    return {path.relative_to(source).as_posix() for path in (source / "halflabel").rglob("*")
            if path.is_file() and "__pycache__" not in path.parts}


def build(out: Path) -> tuple[Path, Path]:
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(out)], cwd=ROOT, check=True,
                   capture_output=True)
    (wheel,), (archive,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return wheel, archive


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build(tmp_path_factory.mktemp("dist"))


def test_the_wheel_holds_the_package_and_its_licence(built):
    with zipfile.ZipFile(built[0]) as wheel:
        assert set(wheel.namelist()) == package_files() | INFO


def test_the_source_archive_holds_what_a_build_needs(built):
    with tarfile.open(built[1]) as archive:
        names = {member.name.removeprefix(f"{NAME}/") for member in archive.getmembers()}
    assert names == {f"src/{name}" for name in package_files()} | AROUND


def test_the_same_source_gives_the_same_bytes(built, tmp_path):
    assert [path.read_bytes() for path in build(tmp_path)] == [path.read_bytes() for path in built]


@pytest.mark.slow
def test_the_wheel_runs_in_an_environment_of_its_own(built, tmp_path):
    """Its dependencies are those installed here, by a path; the package itself is the wheel's."""
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def run(*command: object) -> str:
        done = subprocess.run(list(map(str, command)), cwd=tmp_path, env=environment, capture_output=True,
                              text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(python, "-m", "pip", "install", "--no-deps", "--no-index", built[0])
    own = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (own / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    assert Path(run(python, "-c", "import halflabel; print(halflabel.__file__)").strip()).is_relative_to(own)
    halflabel = tmp_path / "venv" / "bin" / "halflabel"
    assert hl.__version__ in run(halflabel, "--version")
    run(halflabel, "demo", "--out", tmp_path / "demo")
    assert (tmp_path / "demo" / "run" / "report.html").is_file()
