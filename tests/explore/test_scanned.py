"""A scanner asks all that the schema allows and much that it forbids; the explorer holds to its schema."""

import json
from urllib.request import urlopen

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

OPERATIONS = [
    ("GET", "/api/run"), ("GET", "/api/nodes"), ("GET", "/api/nodes/{position}"),
    ("GET", "/api/nodes/{position}/neighbourhood"), ("GET", "/api/nodes/{position}/why"),
    ("GET", "/api/marks"), ("POST", "/api/marks")]
ASKED_PLAINLY = [("GET", "/api/run"), ("GET", "/api/marks")]  # nothing in such a question could be wrong
EXAMPLES = 15


@pytest.fixture
def schema(address):
    with urlopen(f"{address}openapi.json", timeout=10) as answer:
        return json.load(answer)


def test_all_operations_are_scanned(schema):
    assert {(method.upper(), path) for path, methods in schema["paths"].items() for method in methods} == set(
        OPERATIONS)


def cases():
    for method, path in OPERATIONS:
        yield method, path, GenerationMode.POSITIVE
        if (method, path) not in ASKED_PLAINLY:
            yield method, path, GenerationMode.NEGATIVE


@pytest.mark.parametrize(("method", "path", "mode"), list(cases()))
def test_the_explorer_holds_to_its_schema(schema, address, method, path, mode):
    operation = schemathesis.openapi.from_dict(schema)[path][method]

    @settings(max_examples=EXAMPLES, derandomize=True, database=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case):
        origin = address.rstrip("/").rpartition("/")[0]
        answer = case.call(base_url=address.rstrip("/"), headers={"Origin": origin})
        assert answer.status_code < 500
        case.validate_response(answer)

    ask()
