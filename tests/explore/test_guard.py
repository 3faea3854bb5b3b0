"""Only somebody with the token, on this machine, from the page itself, gets an answer."""

import asyncio

import pytest

from halflabel.explore.guard import LARGEST_BODY, Guard

MARK = {"position": 3, "mark": "positive"}


@pytest.mark.parametrize("path", [
    "/", "/api/run", "/wrong/", "/the-toke/api/run", "/the-tokenx/api/run", "/the-token%00/", "//",
    "/style.css", "/openapi.json", "/%F0%9F%98%80/", "/THE-TOKEN/",
])
def test_without_the_token_there_is_nothing(client, path):
    answer = client.get(f"http://127.0.0.1:8765{path}")
    assert answer.status_code == 403
    assert "token" in answer.json()["detail"]


def test_a_mark_without_the_token_is_not_made(client, marks):
    before = marks.read_bytes()
    assert client.post("http://127.0.0.1:8765/wrong/api/marks", json=MARK).status_code == 403
    assert marks.read_bytes() == before


@pytest.mark.parametrize("host", [
    "evil.example", "evil.example:8765", "127.0.0.1.evil.example", "localhost.evil.example:8765", "",
    "192.168.0.7", "127.0.0.1@evil.example", "[::1]:8765",
])
def test_a_foreign_name_for_this_machine_is_refused(client, host):
    assert client.get("api/run", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:9000", "localhost"])
def test_loopback_names_are_fine(client, host):
    assert client.get("api/run", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("origin", [
    "http://evil.example", "null", "", "https://127.0.0.1:8765", "http://127.0.0.1:8766", "http://localhost:8765",
    "http://127.0.0.1:8765.evil.example",
])
def test_another_site_cannot_mark(client, marks, origin):
    before = marks.read_bytes()
    answer = client.post("api/marks", json=MARK, headers={"Origin": origin})
    assert answer.status_code == 403
    assert marks.read_bytes() == before


def test_a_write_that_does_not_say_where_it_is_from_is_refused(client):
    del client.headers["Origin"]
    assert client.post("api/marks", json=MARK).status_code == 403


@pytest.mark.parametrize("kind", [
    "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_what_a_form_could_send_is_refused(client, kind):
    content = b'{"position": 3, "mark": "positive"}'
    assert client.post("api/marks", content=content, headers={"Content-Type": kind}).status_code == 415


def test_long_bodies_are_refused_whatever_they_say_of_their_length(client):
    def pieces():
        for _ in range(3):
            yield b" " * (LARGEST_BODY // 2)

    kind = {"Content-Type": "application/json"}
    assert client.post("api/marks", content=b" " * (LARGEST_BODY + 1), headers=kind).status_code == 413
    assert client.post("api/marks", content=pieces(), headers=kind).status_code == 413
    assert client.post("api/marks", content=b" " * LARGEST_BODY, headers=kind).status_code == 422


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(client, method):
    assert client.request(method, "api/marks").status_code == 405


@pytest.mark.parametrize("path", ["", "api/run", "api/nodes/999999", "http://127.0.0.1:8765/wrong/"])
def test_every_answer_forbids_the_rest_of_the_web(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "set-cookie" not in headers
    assert "access-control-allow-origin" not in headers


def test_the_address_without_its_last_slash_leads_to_the_page(client):
    answer = client.get("http://127.0.0.1:8765/the-token")
    assert (answer.status_code, answer.headers["location"]) == (307, "/the-token/")


def test_sockets_are_not_answered():
    def nobody(*_):
        raise AssertionError("asked")

    asyncio.run(Guard(nobody, "the-token")({"type": "websocket"}, nobody, nobody))
