"""Requests as a correct client sends them: reads are repeated after a pause, a few times.

A write is repeated only after a 429, since it may have been carried out.
"""

import json
import os
import time
import urllib.error
import urllib.request

URL = os.environ["CREATOR_API_URL"]
KEY = os.environ["CREATOR_API_KEY"]
ACCOUNT = os.environ["CREATOR_API_ACCOUNT"]
MAX_ATTEMPTS = 6


class RequestFailed(Exception):
    def __init__(self, request, status):
        super().__init__(f"{request}: {status or 'no response'}")
        self.status = status
        self.is_open = status is None or status >= 500  # the service may have carried it out


def send_once(method, path, body=None):
    request = urllib.request.Request(
        URL + path,
        method=method,
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
        data=None if body is None else json.dumps(body).encode(),
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise RequestFailed(f"{method} {path}", error.code) from None
    except OSError:
        raise RequestFailed(f"{method} {path}", None) from None


def send(method, path, body=None, is_read=False):
    for attempt in range(MAX_ATTEMPTS):
        try:
            return send_once(method, path, body)
        except RequestFailed as failure:
            can_repeat = failure.status == 429 or (is_read and failure.is_open)
            if not can_repeat or attempt == MAX_ATTEMPTS - 1:
                raise
            time.sleep((1 if failure.status == 429 else 0.2) * 2**attempt)


def get(path):
    return send("GET", path, is_read=True)


def get_all(path):
    """Returns the rows of all pages."""
    rows = []
    while path is not None:
        page = get(path)
        rows += page["data"]["list"]
        path = page.get("_pagination", {}).get("next_page")
    return rows


def query(path, body):
    """Sends a POST that only reads."""
    return send("POST", path, body, is_read=True)


def post(path, body):
    return send("POST", path, body)


def write_once(write, is_done):
    """If it is unknown whether a write was carried out, it looks before it writes again."""
    for attempt in range(3):
        try:
            write()
            return
        except RequestFailed as failure:
            if not failure.is_open or attempt == 2:
                raise
            time.sleep(0.4 * 2**attempt)
            if is_done():
                return
