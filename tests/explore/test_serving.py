"""The explorer as a process: who reaches it, how it ends, and what is left."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from urllib.parse import urlsplit

import pytest

from halflabel.errors import DataError
from halflabel.explore.serving import listen
from halflabel.labels import read_positives


@pytest.fixture
def process(run_directory, marks):
    command = [sys.executable, "-m", "halflabel", "explore", run_directory, "--no-browser", "--marks", marks]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        yield running
        if running.poll() is None:
            running.kill()


def read_address(process):
    return re.search(r"http\S+", process.stdout.readline())[0]


def send_mark(address, position):
    origin = address.rstrip("/").rpartition("/")[0]
    request = urllib.request.Request(
        f"{address}api/marks", json.dumps({"position": position, "mark": "positive"}).encode(),
        {"Content-Type": "application/json", "Origin": origin})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def raw(address, target):
    """The first line of the answer to a path that no client has tidied up."""
    place = urlsplit(address)
    with socket.create_connection((place.hostname, place.port), timeout=10) as connection:
        lines = (f"GET {target} HTTP/1.1", f"Host: {place.netloc}", "Connection: close", "", "")
        connection.sendall("\r\n".join(lines).encode())
        return connection.makefile("rb").read()


def test_interrupted_it_ends_well_and_says_what_is_left(process, marks):
    send_mark(read_address(process), 0)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (0, "")
    assert f"1 node marked; {marks} gives the next fit 11 known positives" in out


def test_as_json_it_says_where_it_is_and_nothing_else(run_directory, marks):
    command = [sys.executable, "-m", "halflabel", "explore", run_directory, "--no-browser", "--marks", marks,
               "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        said = "".join(iter(running.stdout.readline, "}\n"))
        found = json.loads(said + "}")
        send_mark(found["page"], 0)
        running.send_signal(signal.SIGINT)
        assert running.communicate(timeout=60)[0] == ""
    assert found["marks"] == str(marks)


def test_killed_at_once_it_has_saved_what_it_confirmed(process, marks):
    send_mark(read_address(process), 0)
    process.kill()
    process.wait(timeout=60)
    assert "<script>alert(1)</script>" in read_positives(marks).to_pylist()


@pytest.mark.parametrize("path", [
    "../../../../etc/passwd", "..%2f..%2f..%2fetc/passwd", "vendor/../../app.py", "%2e%2e/app.py",
    "./../app.py", "vendor//../app.py", "/etc/passwd", "..;/app.py", "%c0%ae%c0%ae/app.py",
    "style.css/../../app.py"])
def test_no_path_leads_out_of_the_page(address, path):
    answer = raw(address, f"{urlsplit(address).path}{path}")
    assert re.match(rb"HTTP/1.1 40[34] ", answer)
    assert b"root:" not in answer
    assert b"import" not in answer


def test_an_address_that_leads_around_the_token_is_refused(address):
    token = urlsplit(address).path
    assert raw(address, f"/wrong/..{token}api/run").startswith(b"HTTP/1.1 403 ")
    assert raw(address, f"{token}api/run").startswith(b"HTTP/1.1 200 ")


def test_only_this_machine_is_listened_to(address):
    assert urlsplit(address).hostname == "127.0.0.1"
    assert len(urlsplit(address).path.strip("/")) >= 32


def test_a_port_that_is_taken_is_told():
    with listen() as taken:
        taken.listen()
        with pytest.raises(DataError, match="Choose another --port"):
            listen(taken.getsockname()[1])
