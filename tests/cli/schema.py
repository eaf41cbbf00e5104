"""Validates JSON against docs/report.schema.json: the part of JSON Schema that the schema uses."""

import json

from program import ROOT

SCHEMA = json.loads((ROOT / "docs" / "report.schema.json").read_text(encoding="utf-8"))
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float), "null": type(None)}
KEYWORDS = {"$schema", "$id", "$defs", "title", "type", "required", "additionalProperties", "properties", "items", "enum", "$ref"}


def is_of(value, name):
    return isinstance(value, TYPES[name]) and not (name in ("integer", "number") and isinstance(value, bool))


def violations(value, schema=SCHEMA, place="$"):
    """What is wrong with a value, each with its place."""
    unknown = set(schema) - KEYWORDS
    if unknown:
        return [f"{place}: the validator does not know {sorted(unknown)}"]
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        return violations(value, SCHEMA["$defs"][name], place)
    result = []
    kinds = schema.get("type", [])
    if kinds and not any(is_of(value, kind) for kind in ([kinds] if isinstance(kinds, str) else kinds)):
        return [f"{place}: {type(value).__name__} instead of {kinds}"]
    if "enum" in schema and value not in schema["enum"]:
        result.append(f"{place}: {value!r} is not among {schema['enum']}")
    if isinstance(value, dict):
        result += [f"{place}: {name} is missing" for name in schema.get("required", []) if name not in value]
        for name, member in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            if inner is False:
                result.append(f"{place}: {name} is not in the schema")
            else:
                result += violations(member, inner, f"{place}.{name}")
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            result += violations(item, schema["items"], f"{place}[{i}]")
    return result
