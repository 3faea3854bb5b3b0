"""What the page asks for: rows of the ranking, a node's neighbourhood, why, and marks."""

import json

import numpy as np
import pytest

from halflabel.labels import as_positive_mask


def test_the_run_is_told(client, run, marks):
    answer = client.get("api/run").json()
    assert answer["answer"].startswith("About ")
    assert (answer["nodes"], answer["known_positives"]) == (60, 10)
    assert answer["prior"] == run.record.prior
    assert answer["marks_file"] == str(marks)


def test_rows_come_by_rank_and_known_positives_last(client, run):
    rows = client.get("api/nodes", params={"limit": 500}).json()["nodes"]
    assert [row["id"] for row in rows] == run.scores["id"].to_pylist()
    assert [row["rank"] for row in rows] == [*range(1, 51), *[None] * 10]
    assert [row["known_positive"] for row in rows] == [False] * 50 + [True] * 10
    assert [run.graph.ids[row["position"]] for row in rows] == [row["id"] for row in rows]


def test_pages_put_together_are_the_whole(client):
    asked = [{"offset": offset, "limit": 7} for offset in range(0, 63, 7)]
    pages = [client.get("api/nodes", params=page).json() for page in asked]
    assert {page["total"] for page in pages} == {60}
    assert len({row["id"] for page in pages for row in page["nodes"]}) == 60
    assert client.get("api/nodes", params={"offset": 60}).json()["nodes"] == []


@pytest.mark.parametrize(("search", "found"), [
    ("N0", 10), ("script", 1), ("<SCRIPT>", 1), ("ÜNÏ", 1), (".*", 0), ("\n", 1), ("nobody", 0), ('"', 1),
    ("", 60)])
def test_search_finds_parts_of_ids_as_they_are(client, search, found):
    assert client.get("api/nodes", params={"search": search}).json()["total"] == found


def test_most_in_doubt_come_first_and_nobody_known(client, run):
    rows = client.get("api/nodes", params={"order": "doubt", "limit": 500}).json()["nodes"]
    away = [abs(row["probability"] - run.record.threshold) for row in rows]
    assert len(rows) == 50
    assert (np.diff(away) >= 0).all()


@pytest.mark.parametrize("parameters", [
    {"limit": 501}, {"limit": 0}, {"offset": -1}, {"order": "id"}, {"search": "x" * 201}, {"offset": "many"},
    {"offset": 10**30}])
def test_questions_without_sense_are_refused(client, parameters):
    assert client.get("api/nodes", params=parameters).status_code == 422


def test_a_node_is_placed_in_the_list_that_is_shown(client):
    row = client.get("api/nodes", params={"search": "n1", "offset": 4, "limit": 1}).json()["nodes"][0]
    asked = f"api/nodes/{row['position']}"
    assert client.get(asked, params={"search": "n1"}).json() == {"node": row, "row": 4}
    assert client.get(asked, params={"search": "script"}).json()["row"] is None


def test_the_picture_has_the_node_first_and_edges_of_the_graph(client, run):
    picture = client.get("api/nodes/5/neighbourhood", params={"limit": 12}).json()
    assert (picture["nodes"][0]["position"], picture["nodes"][0]["steps"]) == (5, 0)
    assert 1 < len(picture["nodes"]) <= 12
    shown = {node["position"] for node in picture["nodes"]}
    for edge in picture["edges"]:
        assert {edge["source"], edge["target"]} <= shown
        assert run.graph.adjacency[edge["source"], edge["target"]]
        assert 0 <= edge["trust"] <= 1


def test_a_node_without_edges_is_alone(client):
    picture = client.get("api/nodes/59/neighbourhood").json()
    assert (len(picture["nodes"]), picture["edges"], picture["left_out"]) == (1, [], 0)


def test_why_is_told(client):
    assert client.get("api/nodes/5/why").json()["sentences"]


@pytest.mark.parametrize("path", ["60", "999999", "60/why", "60/neighbourhood"])
def test_nodes_that_do_not_exist_are_not_found(client, path):
    assert client.get(f"api/nodes/{path}").status_code == 404


@pytest.mark.parametrize("path", ["-1", "x", "1.5", "9" * 40, "../run"])
def test_positions_are_numbers(client, path):
    assert client.get(f"api/nodes/{path}/why").status_code in (404, 422)


def test_marks_are_made_changed_and_taken_back(client):
    def mark(position, said):
        answer = client.post("api/marks", json={"position": position, "mark": said})
        assert answer.status_code == 200
        return answer.json()["node"]["mark"], answer.json()["marked"], answer.json()["positives"]

    assert mark(0, "positive") == ("positive", 1, 11)
    assert mark(1, "negative") == ("negative", 2, 11)
    assert mark(1, "positive") == ("positive", 2, 12)
    assert mark(55, "negative") == ("negative", 3, 11)
    assert client.get("api/nodes", params={"order": "marked"}).json()["total"] == 3
    told = client.get("api/marks").json()
    assert (told["positives"], told["positive"], told["negative"]) == (11, 2, 1)
    assert mark(55, None) == (None, 2, 12)
    assert mark(1, None) == (None, 1, 11)
    assert client.get("api/nodes/0").json()["node"]["mark"] == "positive"


@pytest.mark.parametrize("body", [
    {"position": 0}, {"mark": "positive"}, {"position": 0, "mark": "none"}, {"position": "0", "mark": None},
    {"position": 0.5, "mark": None}, {"position": -1, "mark": None}, {"position": True, "mark": None},
    {"position": 0, "mark": None, "id": "x"}, [], None, "x", {"position": 0, "mark": ["positive"]},
])
def test_marks_that_are_none_are_refused(client, marks, body):
    before = marks.read_bytes()
    answer = client.post("api/marks", content=json.dumps(body), headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert marks.read_bytes() == before


def test_a_mark_for_nobody_is_not_found(client):
    assert client.post("api/marks", json={"position": 60, "mark": None}).status_code == 404


def test_marks_survive_a_restart_and_the_next_fit_gets_them(explorer, run, marks):
    client = explorer()
    for position in range(8):  # all the strange ids
        assert client.post("api/marks", json={"position": position, "mark": "positive"}).status_code == 200
    client.post("api/marks", json={"position": 59, "mark": "negative"})
    told = explorer().get("api/marks").json()
    assert (told["positive"], told["negative"], told["positives"]) == (8, 1, 17)
    assert np.flatnonzero(as_positive_mask(marks, run.graph)).tolist() == [*range(8), *range(50, 59)]


def test_a_mark_that_cannot_be_written_is_an_error_that_says_so(client, marks):
    marks.unlink()
    answer = client.post("api/marks", json={"position": 0, "mark": "positive"})
    assert answer.status_code == 503
    assert answer.json()["detail"].startswith("not saved: ")
    assert client.get("api/nodes/0").json()["node"]["mark"] is None
