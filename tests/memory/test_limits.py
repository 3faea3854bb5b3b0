"""How much memory is left: by the machine, by control groups of either version, by limits, or as told."""

import resource
import subprocess
import sys

import pytest

from halflabel.errors import DataError
from halflabel.memory.limits import available

GB = 2**30


@pytest.fixture
def root(tmp_path):
    """root({"proc/meminfo": text, ...}) is a file system with these files."""

    def write(files):
        machine = f"MemTotal: 9 kB\nMemAvailable:   {8 * 2**20} kB\n"
        for name, text in {"proc/meminfo": machine, **files}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return tmp_path

    return write


@pytest.fixture(autouse=True)
def _nothing_told(monkeypatch):
    monkeypatch.delenv("HALFLABEL_MEMORY", raising=False)


def group(place, most, used, stat, names=("memory.max", "memory.current")):
    return {f"{place}/{names[0]}": f"{most}\n", f"{place}/{names[1]}": f"{used}\n",
            f"{place}/memory.stat": stat}


def test_what_the_machine_has(root):
    assert available(root({})) == (8 * GB, "this machine")


def test_a_control_group_with_less(root):
    files = group("sys/fs/cgroup/job", 4 * GB, 3 * GB, f"anon 5\ninactive_file {GB // 2}\n")
    found = available(root({"proc/self/cgroup": "0::/job\n", **files}))
    assert found == (GB + GB // 2, "its control group")


def test_a_control_group_of_version_one(root):
    names = ("memory.limit_in_bytes", "memory.usage_in_bytes")
    files = group("sys/fs/cgroup/memory/a/b", 2 * GB, GB, f"cache 7\ntotal_inactive_file {GB // 4}\n", names)
    found = available(root({"proc/self/cgroup": "5:cpu:/a\n4:memory:/a/b\n", **files}))
    assert found == (GB + GB // 4, "its control group")


def test_the_group_above_may_have_less(root):
    files = {**group("sys/fs/cgroup/a/b", 6 * GB, 0, ""), **group("sys/fs/cgroup/a", 2 * GB, 0, "")}
    assert available(root({"proc/self/cgroup": "0::/a/b\n", **files})).free == 2 * GB


def test_inside_a_container_the_limit_is_at_the_top(root):
    files = group("sys/fs/cgroup", 3 * GB, GB, "")
    assert available(root({"proc/self/cgroup": "0::/not/visible\n", **files})).free == 2 * GB


@pytest.mark.parametrize("most", ["max", str(2**63 - 4096)])
def test_a_group_without_a_limit(root, most):
    files = group("sys/fs/cgroup", most, GB, "")
    assert available(root({"proc/self/cgroup": "0::/\n", **files})) == (8 * GB, "this machine")


def test_a_group_beyond_its_limit_leaves_nothing(root):
    assert available(root({"proc/self/cgroup": "0::/\n", **group("sys/fs/cgroup", GB, 2 * GB, "")})).free == 0


def test_where_nothing_is_known(tmp_path):
    assert available(tmp_path) is None


@pytest.mark.parametrize(("told", "free"), [("3G", 2.5 * GB), ("3 GiB", 2.5 * GB), ("600m", 88 * 2**20),
                                            ("100000", 0)])
def test_the_user_knows_better(root, monkeypatch, told, free):
    monkeypatch.setenv("HALFLABEL_MEMORY", told)
    found = available(root({"proc/self/status": f"VmRSS:\t{GB // 2 // 1024} kB\n"}))
    assert found == (free, "HALFLABEL_MEMORY")


def test_a_mistyped_amount_is_told(monkeypatch):
    monkeypatch.setenv("HALFLABEL_MEMORY", "lots")
    with pytest.raises(DataError, match=r"HALFLABEL_MEMORY='lots': expected an amount .* such as 16G"):
        available()


@pytest.mark.parametrize("kind", ["RLIMIT_AS", "RLIMIT_DATA"])
def test_limits_of_the_process(kind):
    if resource.getrlimit(getattr(resource, kind))[1] != resource.RLIM_INFINITY:
        pytest.skip(f"this process has a {kind} already")
    script = (f"import resource; resource.setrlimit(resource.{kind}, (3 * 2**30, resource.RLIM_INFINITY))\n"
              "from halflabel.memory.limits import available\nprint(*available())")
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    free, bound = said.split(maxsplit=1)
    assert 2 * GB < int(free) < 3 * GB
    assert bound == "the limit of this process (ulimit)\n"
