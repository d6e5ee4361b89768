"""A model on the hub, pinned to a commit: out of the local cache when it is there, else fetched once."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from dobrushin.errors import FetchError, InputError
from dobrushin.sources.weights import LAYOUTS, PICKLE, SAFE, SAFE_INDEX, weight_files

ID = re.compile(r"(?P<repo>[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*)(@(?P<revision>[\w./-]+))?")
"""``OWNER/NAME`` or ``OWNER/NAME@REVISION``."""

_COMMIT = re.compile(r"[0-9a-f]{40}")
_BESIDES = re.compile(r"[^/]+\.(json|txt|model)|README\.md|LICENSE[^/]*")
"""What is fetched beside the weights: configurations, vocabularies and the card; never code."""


@dataclass(frozen=True)
class Snapshot:
    """The files of a repository at one commit.

    Attributes:
        folder: where they are.
        repo: ``OWNER/NAME``.
        commit: 40 hexadecimal digits.
        asked: the revision that was asked for; None when none was.
    """

    folder: Path
    repo: str
    commit: str
    asked: str | None

    @property
    def pinned(self) -> bool:
        """Whether the commit itself was asked for; a branch or a tag can move."""
        return self.asked == self.commit


def snapshot(repo: str, revision: str | None, *, offline: bool | None) -> Snapshot:
    """The files of a repository, without any network call when they are cached.

    Args:
        repo: ``OWNER/NAME``.
        revision: a commit, tag or branch; by default the main branch, as it is now or was when it was cached.
        offline: True never asks the network; None asks it only for what is not cached; False always asks what a
            branch or tag points at now.

    Raises:
        InputError: the repository, the revision or the weights do not exist, or are not cached and ``offline`` is set.
        FetchError: the hub can not be reached.
    """
    cached = None if offline is False and not _is_commit(revision) else _cached(repo, revision)
    if cached is None:
        if offline or _library_offline():
            what = f"{repo}@{revision}" if revision else repo
            raise InputError(f"{what} is not in the local cache as a whole, and the network is switched off: fetch it "
                             "once with the network on, or name a folder")  # fmt: skip
        cached = _fetched(repo, revision)
    return Snapshot(cached, repo, cached.name, revision)


def _is_commit(revision: str | None) -> bool:
    return revision is not None and _COMMIT.fullmatch(revision) is not None


def _library_offline() -> bool:
    from huggingface_hub import constants

    return bool(constants.HF_HUB_OFFLINE)


def _cached(repo: str, revision: str | None) -> Path | None:
    """The cached snapshot, if its configuration and weights are complete."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(repo, revision=revision, local_files_only=True))
    except LocalEntryNotFoundError as error:
        # Newer clients miss what was left out on purpose, such as code and other layouts of the weights.
        incomplete = getattr(error, "snapshot_path", None)
        if incomplete is None or not _has_all_wanted(Path(incomplete), repo, revision):
            return None
        folder = Path(incomplete)
    try:
        weight_files(folder)
    except InputError:
        return None
    return folder if (folder / "config.json").is_file() else None


def _has_all_wanted(folder: Path, repo: str, revision: str | None) -> bool:
    """Whether a snapshot lacks only files that are never fetched."""
    from huggingface_hub import get_cached_repo_tree

    names = _wanted([entry.path for entry in get_cached_repo_tree(repo, revision=revision)])
    return bool(names) and all((folder / name).exists() for name in names)


def _fetched(repo: str, revision: str | None) -> Path:
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError

    try:
        listed = HfApi().model_info(repo, revision=revision).siblings or []
        names = _wanted([entry.rfilename for entry in listed])
        if names:
            return Path(snapshot_download(repo, revision=revision, allow_patterns=names))
    except GatedRepoError as error:
        raise InputError(f"{repo} is gated: accept its terms and log in, or name a folder") from error
    except RevisionNotFoundError as error:
        raise InputError(f"{repo} has no revision {revision}: name a commit, a tag or a branch") from error
    except RepositoryNotFoundError as error:
        raise InputError(f"there is no model {repo} on the hub, or it is private: check the spelling") from error
    except Exception as error:  # whatever the HTTP client of that version raises
        reason = " ".join(str(error).split()) or type(error).__name__
        raise FetchError(f"{repo} can not be fetched from the hub ({reason}): try again, or name a folder") from error
    raise InputError(f"{repo} holds no weights for torch: one of {', '.join(LAYOUTS)} is needed")


def _wanted(names: Iterable[str]) -> list[str]:
    """The files to fetch: the weights in the first layout that is there, and what goes with them; none without."""
    present = set(names)
    layout = next((layout for layout in LAYOUTS if layout in present), None)
    if layout is None:
        return []
    parts = {SAFE_INDEX: r"model-\d+-of-\d+\.safetensors", SAFE: re.escape(SAFE), PICKLE: re.escape(PICKLE)}
    weights = re.compile(parts.get(layout, r"pytorch_model-\d+-of-\d+\.bin"))
    # Indexes of other layouts would be taken for weights that are missing.
    others = set(LAYOUTS) - {layout}
    return sorted(
        name for name in present if name not in others and (weights.fullmatch(name) or _BESIDES.fullmatch(name))
    )
