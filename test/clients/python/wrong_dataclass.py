"""Copies all keys of a response into a class that has only the known ones."""

from dataclasses import dataclass

from api import get


@dataclass
class Tag:
    id: int
    name: str
    color: str
    created_at: str


for row in get("/v1/tags")["data"]["list"]:
    print(Tag(**row))
