"use strict";
// The page: what was asked, the verdicts, how the search went.

function overall(report) {
  const verdicts = (report.properties || []).map((property) => property.verdict);
  if (verdicts.includes("violated") || (report.faults || []).length > 0) return ["violated", (report.faults || []).length > 0 && !verdicts.includes("violated") ? "RUN-TIME FAULT" : "VIOLATED"];
  if (verdicts.includes("unknown") || !report.complete) return ["unknown", verdicts.length > 0 ? "NOT DECIDED" : "NOT COMPLETE"];
  return ["holds", verdicts.length > 0 ? "HOLDS" : "COMPLETE"];
}

function themeButton() {
  const root = document.documentElement;
  const dark = window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "dark" : "light";
  const made = element("button", {type: "button", class: "theme", on: {click: () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
    made.textContent = label();
  }}});
  const label = () => (root.dataset.theme === "dark" ? "light" : "dark");
  made.textContent = label();
  return made;
}

function figure(name, value) {
  return element("div", {class: "figure"}, element("span", {class: "faint"}, name), element("b", {}, value));
}

function figures(report) {
  const result = [];
  const add = (name, value) => { if (value !== null && value !== undefined) result.push(figure(name, value)); };
  add(report.states_exact === false ? "states (at most)" : "states", report.states === null ? null : grouped(report.states));
  add("transitions", report.transitions === null ? null : grouped(report.transitions));
  add("deadlocks", report.deadlocks === null ? null : grouped(report.deadlocks));
  add("engine", report.engine);
  add("time", duration(report.seconds));
  add("memory", memory(report.peak_rss_bytes));
  if (report.ledger_bytes > 0) add("on disk", memory(report.ledger_bytes));
  if (report.layers > 1) add("layers", grouped(report.layers));
  if (report.sweeps > 0) add("sweeps", grouped(report.sweeps));
  if (report.depth > 0) add("depth", grouped(report.depth));
  return element("div", {class: "figures"}, result);
}

function propertyView(property) {
  const words = {holds: "HOLDS", violated: "VIOLATED", unknown: "NOT DECIDED"};
  const vacuous = property.vacuous ? ` (vacuously${property.vacuous_reason ? ": " + property.vacuous_reason : ""})` : "";
  const inside = element("div", {class: "details", hidden: true});
  let filled = false;
  const open = () => {
    inside.hidden = !inside.hidden;
    head.setAttribute("aria-expanded", String(!inside.hidden));
    if (filled) return;
    filled = true;
    if (property.reason) inside.append(element("div", {}, `Reason: ${property.reason}`));
    if (property.evidence && property.evidence.root) inside.append(element("h3", {}, "Why"), evidenceView(property.evidence));
    else if (property.trace && property.trace.states.length > 0) inside.append(element("h3", {}, property.verdict === "violated" ? "A run that violates it" : "A run that shows it"), traceView(traceOfItf(property.trace)));
    else if (property.verdict === "violated") inside.append(element("div", {class: "faint"}, `No run was computed${property.trace_reason ? ": " + property.trace_reason : ""}.`));
    else inside.append(element("div", {class: "faint"}, property.verdict === "holds" ? "Every reachable state was taken into account." : "The search ended before there was an answer."));
  };
  const head = element("button", {type: "button", class: "property", "aria-expanded": "false", "data-name": property.name, on: {click: open}},
    element("span", {class: `verdict ${property.verdict}`}, words[property.verdict] + vacuous), "  ", element("b", {}, property.name), "  ",
    property.formula ? element("span", {class: "formula code"}, property.formula) : null);
  return {view: element("div", {}, head, inside), open};
}

function faultView(fault, index) {
  const inside = element("div", {class: "details"});
  if (fault.trace && fault.trace.states.length > 0) inside.append(traceView(traceOfItf(fault.trace)));
  return element("div", {}, element("div", {}, element("span", {class: "verdict violated"}, "FAULT"), `  ${fault.text || fault.kind || `fault ${index + 1}`}`), inside);
}

function listView(coverage) {
  return Object.entries(coverage).filter(([, listed]) => Array.isArray(listed)).map(([name, listed]) => element("details", {class: "claim"},
    element("summary", {}, `${name.replaceAll("_", " ")}: ${listed.length}`), element("pre", {}, listed.map((entry) => (typeof entry === "string" ? entry : valueText(entry))).join("\n") || "none")));
}

function show(data) {
  const report = data.report;
  const [verdict, word] = overall(report);
  const page = document.getElementById("page");
  document.title = `${word}: ${report.model.path} – Tideline`;
  page.append(element("header", {}, element("h1", {}, element("span", {class: `verdict ${verdict}`}, word), "  ", report.model.path),
    element("span", {class: "faint"}, `${report.model.format}, ${report.tool.name} ${report.tool.version}`), themeButton()));
  if (report.reason && verdict === "unknown") page.append(element("p", {}, `The search ended early: ${report.reason}.`));
  if (report.engine_reason) page.append(element("p", {class: "faint"}, `Engine ${report.engine}: ${report.engine_reason}.`));
  page.append(element("h2", {}, "Figures"), figures(report));

  const properties = (report.properties || []).map(propertyView);
  if (properties.length > 0) page.append(element("h2", {}, "Properties"), element("div", {}, properties.map((property) => property.view)));
  if ((report.faults || []).length > 0) page.append(element("h2", {}, "Run-time faults"), element("div", {}, report.faults.map(faultView)));
  const bad = (report.properties || []).findIndex((property) => property.verdict === "violated");
  if (properties.length > 0) properties[bad >= 0 ? bad : 0].open();

  const history = historyView(report, data.history || []);
  if (history.childElementCount > 0) page.append(element("h2", {}, "The search"), history);
  if ((report.progress && report.progress.components || []).length > 0)
    page.append(element("h2", {}, "Progress measure"), element("pre", {}, report.progress.components.map((part) => (typeof part === "string" ? part : valueText(part))).join(",\n")),
      element("div", {class: "faint"}, `${report.progress.source}; monotonic: ${report.progress.monotonic}`));
  if (report.changed_over) page.append(element("p", {}, `Changed to the sweep after ${grouped(report.changed_over.states)} states: ${report.changed_over.reason}.`));
  if (report.coverage) page.append(element("h2", {}, "Coverage"), element("div", {}, listView(report.coverage)));
  if (data.command) page.append(element("h2", {}, "Repeat it"), element("pre", {class: "command"}, data.command));
}

show(JSON.parse(document.getElementById("data").textContent));
