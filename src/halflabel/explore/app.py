"""The explorer as a web application: the page, and what it asks for."""

from __future__ import annotations

from importlib.resources import files
from typing import Annotated, Any

from fastapi import FastAPI, HTTPException, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from halflabel import __version__
from halflabel.explore import answers
from halflabel.explore.guard import Guard
from halflabel.explore.journal import NotSaved
from halflabel.explore.review import Review

# By name, so that no other file can be asked for.
PAGE = {
    "": ("index.html", "text/html; charset=utf-8"),
    "style.css": ("style.css", "text/css; charset=utf-8"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
    **{name: (name, "text/javascript; charset=utf-8")
       for name in ("main.js", "server.js", "list.js", "picture.js", "panel.js", "vendor/cytoscape.min.js")},
}
REFUSED: dict[int | str, dict[str, Any]] = {403: {"model": answers.Refusal}, 421: {"model": answers.Refusal}}
WRITE_REFUSED: dict[int | str, dict[str, Any]] = {
    status: {"model": answers.Refusal} for status in (400, 404, 413, 415, 503)}
NO_NODE: dict[int | str, dict[str, Any]] = {404: {"model": answers.Refusal}}
Position = Annotated[int, Path(ge=0, le=answers.LARGEST_POSITION)]


def create_app(review: Review, token: str) -> Guard:
    """The application for one run; every address begins with `/TOKEN/`."""
    app = FastAPI(title="halflabel explorer", version=__version__, docs_url=None, redoc_url=None,
                  redirect_slashes=False, responses=REFUSED)
    app.add_exception_handler(NotSaved, _not_saved)
    _add_questions(app, review)
    _add_marks(app, review)
    _add_page(app)
    return Guard(app, token)


def _add_questions(app: FastAPI, review: Review) -> None:
    @app.get("/api/run")
    def run() -> answers.RunAnswer:
        return review.about()

    @app.get("/api/nodes")
    def nodes(
        offset: Annotated[int, Query(ge=0, le=answers.LARGEST_POSITION)] = 0,
        limit: Annotated[int, Query(ge=1, le=answers.MOST_ROWS)] = 100,
        search: answers.Search = "", order: answers.Order = "rank",
    ) -> answers.NodesAnswer:
        return review.nodes(search, order, offset, limit)

    @app.get("/api/nodes/{position}", responses=NO_NODE)
    def node(
        position: Position, search: answers.Search = "", order: answers.Order = "rank",
    ) -> answers.PlacedAnswer:
        return review.placed(_existing(review, position), search, order)

    @app.get("/api/nodes/{position}/neighbourhood", responses=NO_NODE)
    def around(
        position: Position, limit: Annotated[int, Query(ge=1, le=200)] = 30,
    ) -> answers.NeighbourhoodAnswer:
        return review.around(_existing(review, position), limit)

    @app.get("/api/nodes/{position}/why", responses=NO_NODE)
    def why(position: Position) -> answers.WhyAnswer:
        return review.why(_existing(review, position))


def _add_marks(app: FastAPI, review: Review) -> None:
    @app.get("/api/marks")
    def marks() -> answers.MarksAnswer:
        return review.marks()

    @app.post("/api/marks", responses=WRITE_REFUSED)
    def mark(wanted: answers.MarkRequest) -> answers.MarkAnswer:
        return review.mark(_existing(review, wanted.position), wanted.mark)


def _add_page(app: FastAPI) -> None:
    place = files("halflabel.explore") / "page"
    for address, (name, kind) in PAGE.items():
        app.add_api_route(f"/{address}", _sender(place.joinpath(name).read_bytes(), kind),
                          include_in_schema=False, response_class=Response)


def _sender(content: bytes, kind: str) -> Any:
    def send() -> Response:
        return Response(content, media_type=kind)

    return send


def _existing(review: Review, position: int) -> int:
    if position >= len(review.ranked):
        raise HTTPException(404, f"no node at position {position}: there are {len(review.ranked):,}")
    return position


def _not_saved(_: Request, error: Exception) -> Response:
    return JSONResponse({"detail": f"not saved: {error}"}, status_code=503)
