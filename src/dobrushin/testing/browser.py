"""A headless Chromium over its DevTools pipe: what a page logs, asks the network for, and looks like."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome")

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)

_OUR_SCHEMES = ("file:", "data:", "about:", "blob:")


class BrowserError(Exception):
    """Chromium is missing, or does not answer."""


def find_chromium() -> str:
    """The program's path; ``CHROMIUM`` in the environment names another one.

    Raises:
        BrowserError: there is none.
    """
    named = os.environ.get("CHROMIUM")
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        what = f"CHROMIUM={named} is no program" if named else "there is no Chromium on this machine"
        raise BrowserError(f"{what}: apt-get install chromium, or name one in the variable CHROMIUM")
    return found


@dataclass
class Seen:
    """What happened while a page was open: errors and warnings of its console, and addresses it asked for."""

    problems: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)


class Page:
    """The one tab of a headless Chromium."""

    def __init__(self, process: "subprocess.Popen[bytes]", to: int, back: int, seconds: float) -> None:
        self._process, self._to, self._back, self._seconds = process, to, back, seconds
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self._loaded = False
        self.seen = Seen()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Audits"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol; its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']['message']}")
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, path: Path, *, width: int, height: int = 900, dark: bool = False) -> Seen:
        """Open a file in a window of this size; return what happened until it was loaded and drawn."""
        self.seen = Seen()
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media="", features=[scheme])
        self._loaded = False
        self.call("Page.navigate", url=path.resolve().as_uri())
        while not self._loaded:
            self._next()
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))")
        return self.seen

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression in the page, once it has settled."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def screenshot(self, *, whole: bool = True) -> bytes:
        """A PNG of the window, or of the whole page."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole,
                           **({"clip": self._extent()} if whole else {}))  # fmt: skip
        return base64.b64decode(answer["data"])

    def pdf(self) -> bytes:
        """The page as it is printed."""
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"])

    def _extent(self) -> dict[str, float]:
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

    def _next(self) -> dict[str, Any]:
        """The next message; events are noted on the way."""
        deadline = time.monotonic() + self._seconds
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._back], [], [], max(0.0, deadline - time.monotonic()))
            chunk = os.read(self._back, 1 << 20) if ready else b""
            if not chunk:
                raise BrowserError(f"Chromium {'has ended' if ready else f'does not answer within {self._seconds} s'}")
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self._note(message["method"], message["params"])
        return message

    def _note(self, event: str, details: dict[str, Any]) -> None:
        if event == "Page.loadEventFired":
            self._loaded = True
        elif event == "Runtime.exceptionThrown":
            thrown = details["exceptionDetails"]
            self.seen.problems.append(thrown.get("exception", {}).get("description") or thrown["text"])
        elif event == "Runtime.consoleAPICalled" and details["type"] in ("error", "warning", "assert"):
            self.seen.problems.append(" ".join(str(part.get("value", "")) for part in details["args"]))
        elif event == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
            self.seen.problems.append(details["entry"]["text"])
        elif event == "Audits.issueAdded":
            self.seen.problems.append(details["issue"]["code"])
        elif event == "Network.requestWillBeSent":
            address = details["request"]["url"]
            if not address.startswith(_OUR_SCHEMES):
                self.seen.outside.append(address)


@contextmanager
def chromium(*, seconds: float = 60) -> Iterator[Page]:
    """A headless Chromium with a new profile, ended when the block is left.

    Args:
        seconds: how long to wait for any answer.

    Raises:
        BrowserError: there is no Chromium, or it does not answer.
    """
    program = find_chromium()
    read_here, write_there = os.pipe()
    read_there, write_here = os.pipe()

    def as_three_and_four() -> None:
        # The pipe's ends may be 3 and 4 themselves, in any order: move them out of the way first.
        high = os.dup(read_there), os.dup(write_there)
        while min(high) <= 4:
            high = os.dup(high[0]), os.dup(high[1])
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)

    with tempfile.TemporaryDirectory(prefix="dobrushin-chromium-", ignore_cleanup_errors=True) as profile:
        command = [program, *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=as_three_and_four,
            start_new_session=True,
        )
        os.close(read_there)
        os.close(write_there)
        try:
            yield Page(process, write_here, read_here, seconds)
        finally:
            os.close(write_here)
            os.close(read_here)
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
