"""Hub ids against a small server on this machine that answers as the hub does, with the library's real client."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import constants, hf_api

from dobrushin.errors import FetchError, InputError
from dobrushin.sources.models import open_model

Save = Callable[..., Path]
OLD, NEW = "a" * 40, "b" * 40


class Hub:
    """Repositories by name: the commit of each branch and tag, and the folder of each commit; requests are counted."""

    def __init__(self) -> None:
        self.repositories: dict[str, tuple[dict[str, str], dict[str, Path]]] = {}
        self.gated: set[str] = set()
        self.requests: list[str] = []
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hub.answer(self, body=True)

            def do_HEAD(self) -> None:
                hub.answer(self, body=False)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, request: Any, *, body: bool) -> None:
        path = request.path.partition("?")[0]
        self.requests.append(path)
        listing = re.fullmatch(r"/api/models/([^/]+/[^/]+)(/revision/([^/]+))?", path)
        tree = re.fullmatch(r"/api/models/([^/]+/[^/]+)/tree/([^/]+)", path)
        file = re.fullmatch(r"/([^/]+/[^/]+)/resolve/([^/]+)/([^/]+)", path)
        if listing or tree:
            repo, revision = (listing[1], listing[3] or "main") if listing else (tree[1], tree[2])  # type: ignore[index]
        elif file:
            repo, revision = file[1], file[2]
        else:
            return self.send(request, 404, {}, b"", body)
        if repo in self.gated:
            return self.send(request, 403, {"X-Error-Code": "GatedRepo"}, b"", body)
        if repo not in self.repositories:
            return self.send(request, 404, {"X-Error-Code": "RepoNotFound"}, b"", body)
        branches, commits = self.repositories[repo]
        commit = branches.get(revision, revision)
        if commit not in commits:
            return self.send(request, 404, {"X-Error-Code": "RevisionNotFound"}, b"", body)
        folder = commits[commit]
        names = sorted(entry.name for entry in folder.iterdir())
        if listing:
            info = {"id": repo, "sha": commit, "siblings": [{"rfilename": name} for name in names]}
            return self.send(request, 200, {}, json.dumps(info).encode(), body)
        if tree:
            entries = [
                {"type": "file", "path": name, "size": (folder / name).stat().st_size, "oid": "0"} for name in names
            ]
            return self.send(request, 200, {}, json.dumps(entries).encode(), body)
        assert file
        if file[3] not in names:
            return self.send(request, 404, {"X-Error-Code": "EntryNotFound"}, b"", body)
        content = (folder / file[3]).read_bytes()
        return self.send(
            request, 200, {"X-Repo-Commit": commit, "ETag": f'"{sha256(content).hexdigest()}"'}, content, body
        )

    @staticmethod
    def send(request: Any, status: int, headers: dict[str, str], content: bytes, body: bool) -> None:
        request.send_response(status)
        for key, value in (headers | {"Content-Length": str(len(content)), "Content-Type": "application/json"}).items():
            request.send_header(key, value)
        request.end_headers()
        if body:
            request.wfile.write(content)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    served = Hub()
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    use(monkeypatch, served.url)
    yield served
    served.server.shutdown()
    served.server.server_close()


def use(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    """Make the client take ``url`` for the hub."""
    monkeypatch.setattr(constants, "ENDPOINT", url)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", url + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(hf_api.api, "endpoint", url)


def opened(spec: str, **options: Any) -> dict[str, Any]:
    """The provenance of the model, with its title."""
    found = open_model(spec, **options)
    return {"title": found.title, **found.provenance}


def test_a_hub_id_is_fetched_once_pinned_and_then_offline(hub: Hub, save: Save) -> None:
    old, new = save("dinov2", name="old"), save("dinov2", name="new", num_hidden_layers=2)
    (old / "modeling_own.py").write_text("raise SystemExit('code was run')")
    (old / "pytorch_model.bin").write_bytes(b"never fetched")
    hub.repositories["owner/model"] = ({"main": NEW, "v1": OLD}, {OLD: old, NEW: new})

    first = opened(f"hub:owner/model@{OLD}")
    assert first["title"] == first["name"] == "owner/model"
    assert (first["source"], first["revision"], first["revision_asked"]) == ("hub", OLD, OLD)
    assert first["warnings"] == []
    assert first["weights_sha256"] == {
        "model.safetensors": sha256((old / "model.safetensors").read_bytes()).hexdigest()
    }
    fetched = {path.rpartition("/")[2] for path in hub.requests if "/resolve/" in path}
    assert fetched == {"config.json", "model.safetensors", "preprocessor_config.json"}

    hub.requests.clear()
    assert opened(f"owner/model@{OLD}") == {**first, "spec": f"owner/model@{OLD}"}
    assert opened("owner/model", revision=OLD, offline=True)["revision"] == OLD
    assert hub.requests == [], "a cached model made network calls"

    found = opened("owner/model")
    assert (found["revision"], found["revision_asked"]) == (NEW, None)
    assert found["warnings"] == [
        f"no revision was asked for, which can move: to repeat this run, ask for owner/model@{NEW}"
    ]
    hub.requests.clear()
    hub.repositories["owner/model"] = ({"main": OLD}, {OLD: old, NEW: new})
    assert opened("owner/model")["revision"] == NEW  # as it was cached
    assert hub.requests == []
    assert opened("owner/model", offline=False)["revision"] == OLD  # as it is now
    assert hub.requests


def test_a_tag_is_resolved_and_said_to_move(hub: Hub, save: Save) -> None:
    hub.repositories["owner/model"] = ({"v1": OLD}, {OLD: save("gpt2", head="LMHeadModel")})
    found = opened("owner/model@v1")
    assert (found["revision"], found["family"]) == (OLD, "gpt2")
    assert found["warnings"][0].startswith("the revision v1 was asked for, which can move")
    hub.server.shutdown()
    assert opened("owner/model@v1")["revision"] == OLD


def test_what_the_hub_refuses_is_one_sentence(
    hub: Hub, save: Save, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.repositories["owner/model"] = ({"main": OLD}, {OLD: save("bert")})
    hub.gated.add("owner/secret")
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "config.json").write_text("{}")
    hub.repositories["owner/empty"] = ({"main": OLD}, {OLD: empty})
    expected = {
        ("owner/none", None): "there is no model owner/none on the hub, or it is private",
        ("owner/model@v9", None): "owner/model has no revision v9: name a commit, a tag or a branch",
        ("owner/secret", None): "owner/secret is gated: accept its terms and log in, or name a folder",
        ("owner/empty", None): "owner/empty holds no weights for torch: one of model.safetensors",
        ("owner/model", True): "owner/model is not in the local cache as a whole, and the network is switched off",
    }
    for (spec, offline), message in expected.items():
        with pytest.raises(InputError) as caught:
            opened(spec, offline=offline)
        assert str(caught.value).startswith(message)
        assert "\n" not in str(caught.value)
    with monkeypatch.context() as patch:
        patch.setattr(constants, "HF_HUB_OFFLINE", True)  # as the variable of the same name sets it
        with pytest.raises(InputError, match="the network is switched off"):
            opened("owner/model")


def test_an_unreachable_hub_can_be_tried_again(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, "http://127.0.0.1:9")
    with pytest.raises(FetchError, match=r"^owner/model can not be fetched from the hub \("):
        opened("owner/model")


def test_half_a_download_is_not_taken_for_the_model(hub: Hub, save: Save, tmp_path: Path) -> None:
    hub.repositories["owner/model"] = ({"main": OLD}, {OLD: save("bert")})
    opened("owner/model")
    (weights,) = (tmp_path / "cache").rglob("snapshots/*/model.safetensors")
    weights.unlink()
    with pytest.raises(InputError, match="is not in the local cache as a whole"):
        opened("owner/model", offline=True)
    assert opened("owner/model")["revision"] == OLD
