"""Names of places in place of codes, where the service's own filters know no such name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import models
from ._calls import Param, is_code
from .errors import AmbiguousName, NotFound
from .models import SearchHit


@dataclass(frozen=True)
class AreaNames:
    """How a level is called in paths, and the member and the most codes of a batch."""

    path: str
    model: type
    member: str
    most: int


LEVELS: Mapping[str, AreaNames] = {
    "region": AreaNames("regions", models.Region, "ids", 100),
    "province": AreaNames("provinces", models.Province, "codes", 100),
    "municity": AreaNames("municities", models.Municity, "codes", 1000),
    "submunicipality": AreaNames("municities", models.Municity, "codes", 1000),
    "barangay": AreaNames("barangays", models.Barangay, "codes", 1000),
}

#: The parameter that takes a code, of the one that takes a name.
CODE_PARAMETER: Mapping[str, str] = {"region": "region", "province": "province_code", "municity": "municity_code"}


@dataclass(frozen=True)
class Named:
    """A place by its name: the parameter that has it, the levels that it may be of, what it lies in."""

    parameter: str
    name: str
    levels: tuple[str, ...] | None = None
    parent: str | None = None


#: The score by which the best hit has to be better than the next one.
_CLEARLY = 0.1


def with_codes(filters: Mapping[str, Any]) -> dict[str, Param]:
    """Filters of which those that have a code as their name are sent as codes."""
    sent: dict[str, Param] = {}
    for name, value in filters.items():
        takes_code = name in CODE_PARAMETER and isinstance(value, str) and is_code(value)
        sent[CODE_PARAMETER[name] if takes_code else name] = value
    return sent


def unknown_name(params: Mapping[str, Param], notices: Sequence[Mapping[str, Any]]) -> tuple[str, str] | None:
    """The first parameter with a name that no place has, and the name."""
    for notice in notices:
        parameter = str(notice.get("parameter"))
        value = params.get(parameter)
        if parameter in CODE_PARAMETER and isinstance(value, str) and not is_code(value):
            return parameter, value
    return None


def nearest_above(parameter: str, params: Mapping[str, Param]) -> tuple[str, str] | None:
    """The level and the code or name of the nearest place that is given above a parameter. Codes go first."""
    levels = list(CODE_PARAMETER)
    for level in reversed(levels[: levels.index(parameter)]):
        given = params.get(CODE_PARAMETER[level]) or params.get(level)
        if isinstance(given, str):
            return level, given
    return None


def only_hit(named: Named, hits: Sequence[SearchHit]) -> SearchHit:
    """
    The hit that a name clearly means.

    @raises AmbiguousName where several are as good
    @raises NotFound where there is none
    """
    if not hits:
        within = f" in {named.parent}" if named.parent else ""
        raise NotFound(f"{named.parameter}: nothing{within} is called {named.name!r}.", "area_not_found")
    best, *others = hits
    rivals = [hit for hit in others if hit["score"] > best["score"] - _CLEARLY]
    if best["match"] in ("exact", "alias"):
        rivals = [hit for hit in rivals if hit["match"] in ("exact", "alias")]
    if not rivals:
        return best
    candidates = [{"code": hit["code"], "name": described(hit)} for hit in [best, *rivals]]
    listed = "; ".join(f"{each['code']} {each['name']}" for each in candidates)
    raise AmbiguousName(
        f"{named.parameter}: {named.name!r} may be several places. Give the code of one of them: {listed}",
        "ambiguous_name",
        fields={"candidates": candidates},
    )


def described(hit: SearchHit) -> str:
    """A name with what it lies in behind it, the nearest first."""
    return ", ".join([hit["name"], *(each["name"] for each in reversed(hit["ancestors"]))])
