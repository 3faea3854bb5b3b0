"""The page is a handful of named files, and asks nobody else for anything."""

import hashlib
import re
from importlib.resources import files

import pytest

from halflabel.explore.app import PAGE

PLACE = files("halflabel.explore") / "page"


@pytest.mark.parametrize("address", sorted(PAGE))
def test_every_file_is_sent_with_its_type(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == PAGE[address][1]
    assert answer.content == PLACE.joinpath(PAGE[address][0]).read_bytes()


@pytest.mark.parametrize("path", [
    "../app.py", "%2e%2e/app.py", "..%2fapp.py", "vendor/../../app.py", "vendor/%2e%2e/%2e%2e/app.py",
    "/etc/passwd", "%2fetc%2fpasswd", "vendor", "vendor/", "index.html", "page/index.html", "style.css/",
    "style.css%00", "..\\app.py", "vendor/VENDORED.md", "docs", "redoc",
])
def test_no_other_file_can_be_had(client, path):
    answer = client.get(f"{client.base_url}{path}")
    assert answer.status_code in (403, 404)
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_all_that_the_page_refers_to_is_there():
    page = PLACE.joinpath("index.html").read_text(encoding="utf-8")
    for name in re.findall(r'(?:src|href)="([^"]+)"', page):
        assert name in PAGE
    for script in (name for name in PAGE if name.endswith(".js") and "/" not in name):
        for name in re.findall(r'from "\./([^"]+)"', PLACE.joinpath(script).read_text(encoding="utf-8")):
            assert name in PAGE


@pytest.mark.parametrize("name", sorted(name for name, _ in PAGE.values() if "vendor" not in name))
def test_our_own_files_name_no_other_host(name):
    text = PLACE.joinpath(name).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert "//" not in re.sub(r"(?m)(^|\s)// .*$", "", text)
    assert "innerHTML" not in text


def test_vendored_files_are_the_ones_that_were_fetched():
    table = PLACE.joinpath("vendor", "VENDORED.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \|.*`([0-9a-f]{64})` \|$", table, flags=re.MULTILINE)
    assert {name for name, _ in rows} == {"cytoscape.min.js", "LICENSE.cytoscape"}
    for name, expected in rows:
        assert hashlib.sha256(PLACE.joinpath("vendor", name).read_bytes()).hexdigest() == expected
