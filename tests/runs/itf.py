"""Files that --itf writes (Informal Trace Format)."""

import json


def problem_of(text, trace):
    """What is wrong with the file, beside the trace that the report has; None if nothing is. `trace` may be None where no report says."""
    try:
        data = json.loads(text)
    except ValueError:
        return f"the file is not JSON: {text[:100]!r}"
    if not isinstance(data, dict) or not isinstance(data.get("vars"), list) or not isinstance(data.get("states"), list):
        return "the file has no variables or states"
    states = data["states"]
    loop = data.get("loop")
    if loop is not None and not 0 <= loop < len(states):
        return f"the loop begins in state {loop} of {len(states)}"
    names = set(data["vars"])
    for index, state in enumerate(states):
        if state.get("#meta", {}).get("index", index) != index:
            return f"state {index} calls itself {state['#meta']['index']}"
        if not names <= set(state):
            return f"state {index} lacks {sorted(names - set(state))}"
    if trace is not None:
        for part in ("vars", "states", "loop"):
            if data.get(part) != trace.get(part):
                return f"{part} differ from the report: {str(data.get(part))[:80]} and {str(trace.get(part))[:80]}"
    return None


def first_trace(report):
    """The trace that the file must have: of the first violated property with one, else of the first fault, else of the first property."""
    violated = [found for found in report["properties"] if found["verdict"] == "violated"]
    return next((found["trace"] for found in violated + report["faults"] + report["properties"] if found.get("trace") is not None), None)
