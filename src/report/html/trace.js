"use strict";
// A trace as one of two sources gives it: ITF of a property, or a path in the evidence of a CTL formula. Both become
// {states: [{variable: text}], steps: [{process, text, from, to, line, parts}], loop}; step i leads to state i.

function traceOfItf(itf) {
  const states = itf.states.map((state) => {
    const variables = {};
    for (const [name, value] of Object.entries(state)) if (!name.startsWith("#")) variables[name] = valueText(value);
    return variables;
  });
  const steps = itf.states.map((state) => stepOfMeta(state["#meta"] || {}));
  const meta = itf["#meta"] || {};
  const loop = Number.isInteger(itf.loop) ? itf.loop : null;
  return {states, steps, loop, closing: meta["closing-step"] ? stepOfMeta(meta["closing-step"]) : null, meta};
}

function stepOfMeta(meta) {
  const parts = (meta.parts || []).map((part) => ({process: part.process || "", text: part.text || part.action || "", from: part.from, to: part.to, line: part.line}));
  if (parts.length === 0 && (meta.action || meta.text)) parts.push({process: meta.process || "", text: meta.action || meta.text, line: meta.line});
  return {process: meta.process || (parts[0] && parts[0].process) || "", line: meta.line, parts, meta};
}

function traceOfPath(path) {
  const states = path.states.map((state) => Object.fromEntries(Object.entries(state).map(([name, value]) => [name, valueText(value)])));
  const step = (action) => {
    const colon = action.indexOf(": ");
    const process = colon > 0 ? action.slice(0, colon) : "";
    return {process, parts: [{process, text: colon > 0 ? action.slice(colon + 2) : action}], meta: {}};
  };
  const steps = states.map((_, i) => (i > 0 && path.actions[i - 1] !== undefined ? step(path.actions[i - 1]) : {process: "", parts: [], meta: {}}));
  const closing = path.loop !== null && path.loop !== undefined && path.actions[states.length - 1] !== undefined ? step(path.actions[states.length - 1]) : null;
  return {states, steps, loop: path.loop ?? null, closing, meta: {}};
}

// The viewer: a slider over the steps, the state with what has changed, and the sequence diagram around it.
function traceView(trace) {
  const last = trace.states.length - 1;
  let now = 0;
  let filter = "";
  let onlyChanged = false;
  const slider = element("input", {type: "range", min: 0, max: Math.max(last, 0), value: 0, "aria-label": "step", on: {input: () => show(Number(slider.value))}});
  const place = element("span", {class: "faint place"});
  const first = button("|◀", "first state", () => show(0));
  const previous = button("◀", "previous step", () => show(now - 1));
  const next = button("▶", "next step", () => show(following(now)));
  const end = button("▶|", "last state", () => show(last));
  const jump = trace.loop === null ? null : button(`↺ loop begins at ${trace.loop}`, "jump to where the loop begins", () => show(trace.loop), "jump");
  const happened = element("div", {class: "step"});
  const body = element("tbody");
  const search = element("input", {type: "search", placeholder: "filter variables", "aria-label": "filter variables", on: {input: () => { filter = search.value.toLowerCase(); show(now); }}});
  const box = element("input", {type: "checkbox", on: {change: () => { onlyChanged = box.checked; show(now); }}});
  const diagram = element("div", {class: "scroll diagram"});
  const processes = processesOf(trace);

  function button(text, title, act, name = "") {
    return element("button", {type: "button", title, class: name, on: {click: act}}, text);
  }
  // At the end of a lasso the next step leads back.
  function following(step) {
    return step === last && trace.loop !== null ? trace.loop : step + 1;
  }
  function show(step) {
    now = Math.min(Math.max(step, 0), Math.max(last, 0));
    slider.value = now;
    place.textContent = `state ${now} of ${last}${trace.loop !== null && now >= trace.loop ? " (in the loop)" : ""}`;
    first.disabled = previous.disabled = now === 0;
    next.disabled = now === last && trace.loop === null;
    end.disabled = now === last;
    happened.replaceChildren(...describe(now));
    showState();
    if (processes.length > 0) diagram.replaceChildren(sequenceDiagram(trace, processes, now, show));
  }
  function describe(step) {
    const result = [];
    const stepHere = trace.steps[step];
    if (step === 0) result.push(element("div", {class: "faint"}, "the initial state"));
    for (const part of stepHere.parts)
      result.push(element("div", {}, part.process ? element("b", {}, part.process + "  ") : null, element("code", {}, part.text),
        part.line ? element("span", {class: "faint"}, `  line ${part.line}`) : null));
    for (const name of ["output", "printf", "failed", "blocked"]) {
      const extra = stepHere.meta[name];
      if (extra) result.push(element("div", {class: "faint"}, `${name}: ${valueText(extra)}`));
    }
    if (step === last && trace.closing) {
      const parts = trace.closing.parts.map((part) => `${part.process}: ${part.text}`).join("; ");
      result.push(element("div", {class: "faint"}, `then ${parts || "a step"} leads back to state ${trace.loop}`));
    } else if (step === last && trace.loop === last) {
      result.push(element("div", {class: "faint"}, "this state repeats for ever"));
    }
    return result;
  }
  function showState() {
    const state = trace.states[now] || {};
    const before = now > 0 ? trace.states[now - 1] : null;
    const rows = [];
    for (const [name, value] of Object.entries(state)) {
      const changed = before !== null && before[name] !== value;
      if ((onlyChanged && !changed) || (filter && !name.toLowerCase().includes(filter))) continue;
      rows.push(element("tr", {class: changed ? "changed" : null}, element("td", {}, name), element("td", {class: "value"}, value),
        element("td", {class: "value before"}, changed ? String(before[name] ?? "") : "")));
    }
    body.replaceChildren(...rows);
  }

  const view = element("div", {class: "trace"},
    element("div", {class: "stepper"}, first, previous, next, end, slider, place, jump),
    happened,
    element("div", {class: "columns"},
      element("div", {},
        element("div", {class: "stepper"}, search, element("label", {}, box, " only what changed")),
        element("div", {class: "scroll"}, element("table", {},
          element("thead", {}, element("tr", {}, element("th", {}, "variable"), element("th", {}, "value"), element("th", {}, "before"))), body))),
      processes.length > 0 ? element("div", {}, element("div", {class: "stepper faint"}, "who moves, and with whom"), diagram) : null));
  view.tabIndex = -1;
  view.addEventListener("keydown", (event) => {
    if (event.target.tagName === "INPUT") return;
    if (event.key === "ArrowRight") show(following(now));
    else if (event.key === "ArrowLeft") show(now - 1);
    else return;
    event.preventDefault();
  });
  show(0);
  return view;
}

function processesOf(trace) {
  const names = new Set();
  for (const step of [...trace.steps, trace.closing])
    for (const part of step ? step.parts : []) if (part.process) names.add(part.process);
  return [...names].sort((a, b) => a.localeCompare(b, "en", {numeric: true}));
}

// A column for each process; a step of one is a dot, one of two an arrow from the first to the second. Only the steps
// around the current one are drawn, so that a trace may have any length.
function sequenceDiagram(trace, processes, now, show) {
  const around = 14;
  const from = Math.max(1, Math.min(now - around, trace.steps.length - 2 * around));
  const to = Math.min(trace.steps.length - 1, from + 2 * around - 1);
  const wide = 120, high = 24, top = 28;
  const width = Math.max(480, wide * processes.length + 60), height = top + high * Math.max(1, to - from + 1) + 8;
  const x = (process) => wide * processes.indexOf(process) + wide / 2;
  const svg = drawing("svg", {width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "sequence diagram"});
  for (const process of processes) {
    svg.append(drawing("text", {x: x(process), y: 16, "text-anchor": "middle"}, shortened(process, 16)));
    svg.append(drawing("line", {class: "lifeline", x1: x(process), x2: x(process), y1: top - 6, y2: height}));
  }
  for (let i = from; i <= to; ++i) {
    const y = top + (i - from) * high + high / 2;
    const parts = trace.steps[i].parts.filter((part) => part.process);
    const group = drawing("g", {"data-step": i, style: "cursor: pointer"});
    group.append(drawing("rect", {class: i === now ? "now-line" : "", x: 0, y: y - high / 2, width, height: high, fill: i === now ? "" : "transparent"}));
    const state = i === now ? "message now" : "message";
    if (parts.length > 1) {
      const [a, b] = [x(parts[0].process), x(parts[1].process)];
      group.append(drawing("line", {class: state, x1: a, x2: b, y1: y, y2: y}));
      const back = a < b ? -7 : 7;
      group.append(drawing("path", {class: "head", d: `M ${b} ${y} l ${back} -4 l 0 8 z`}));
      for (const part of parts.slice(2)) group.append(drawing("circle", {class: "head", cx: x(part.process), cy: y, r: 4}));
    } else if (parts.length === 1) {
      group.append(drawing("circle", {class: "head", cx: x(parts[0].process), cy: y, r: 4}));
    }
    const label = parts.length > 0 ? labelOf(parts) : "";
    if (label) group.append(drawing("text", {x: x(parts[0].process) + 8, y: y - 4}, shortened(label, 40)));
    group.append(drawing("title", {}, `state ${i}: ${trace.steps[i].parts.map((part) => `${part.process}: ${part.text}`).join("; ")}`));
    group.addEventListener("click", () => show(i));
    svg.append(group);
  }
  return svg;
}

function labelOf(parts) {
  const message = parts.map((part) => /[\w.[\]]+\s*[!?][^;}]*/.exec(part.text)).find((found) => found);
  if (message) return message[0].trim();
  const to = parts[0].to ?? (/^\S+ -> (\S+)/.exec(parts[0].text) || [])[1];
  return to !== undefined ? `→ ${to}` : parts[0].text;
}

const shortened = (text, most) => (text.length > most ? text.slice(0, most - 1) + "…" : text);
