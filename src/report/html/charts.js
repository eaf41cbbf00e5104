"use strict";
// How the search went: what it had found, what was open and what lay on disk over time, and the peak beside the total.

function historyView(report, history) {
  const view = element("div", {class: "history"});
  if (report.sweeps > 0 && report.states && report.peak_states !== null) {
    const share = (100 * report.peak_states) / report.states;
    view.append(element("div", {}, `${grouped(report.peak_states)} of ${grouped(report.states)} states in memory at most (${share < 10 ? share.toFixed(1) : Math.round(share)} %)`),
      element("div", {class: "meter"}, element("div", {style: `width: ${Math.min(100, share)}%`})));
  }
  if (history.length > 2) {
    view.append(chart(history, [
      {name: "states found", colour: "var(--accent)", of: (sample) => sample.states},
      {name: "open states", colour: "var(--third)", of: (sample) => sample.waiting},
      {name: "states in memory, at most so far", colour: "var(--second)", of: (sample) => sample.peak_states}], grouped));
    if (history.some((sample) => sample.ledger_bytes > 0))
      view.append(chart(history, [{name: "ledger on disk", colour: "var(--accent)", of: (sample) => sample.ledger_bytes}], memory));
  }
  if ((report.sweep_details || []).length > 1) view.append(element("h3", {}, "Sweeps"), sweepBars(report.sweep_details));
  return view;
}

function chart(samples, lines, text) {
  const width = 760, height = 220, left = 92, bottom = 24, top = 10, right = 12;
  const end = samples[samples.length - 1].seconds || 1;
  const most = Math.max(1, ...lines.flatMap((line) => samples.map((sample) => line.of(sample) || 0)));
  const x = (seconds) => left + ((width - left - right) * seconds) / end;
  const y = (value) => height - bottom - ((height - bottom - top) * value) / most;
  const svg = drawing("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": lines.map((line) => line.name).join(", ") + " over time"});
  for (const share of [0, 0.5, 1]) {
    svg.append(drawing("line", {class: "axis", x1: left, x2: width - right, y1: y(most * share), y2: y(most * share)}));
    svg.append(drawing("text", {x: left - 8, y: y(most * share) + 4, "text-anchor": "end"}, text(Math.round(most * share))));
    svg.append(drawing("text", {x: x(end * share), y: height - 6, "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle"}, share === 0 ? "0" : duration(end * share)));
  }
  for (const line of lines) {
    const points = samples.map((sample) => `${x(sample.seconds).toFixed(1)},${y(line.of(sample) || 0).toFixed(1)}`).join(" ");
    const drawn = drawing("polyline", {points, fill: "none", "stroke-width": 2});
    drawn.style.stroke = line.colour;
    svg.append(drawn);
  }
  const legend = element("div", {class: "legend faint"}, lines.map((line) => {
    const dash = element("i");
    dash.style.background = line.colour;
    return element("span", {}, dash, line.name);
  }));
  return element("div", {}, svg, legend);
}

function sweepBars(sweeps) {
  const shown = sweeps.slice(0, 100);
  const most = Math.max(1, ...shown.map((sweep) => sweep.expanded));
  const rows = shown.map((sweep, i) => {
    const bar = element("div");
    bar.style.width = `${(100 * sweep.expanded) / most}%`;
    return element("tr", {}, element("td", {}, String(i + 1)), element("td", {}, grouped(sweep.expanded)), element("td", {}, grouped(sweep.peak_states)),
      element("td", {style: "width: 50%"}, element("div", {class: "meter"}, bar)));
  });
  return element("div", {class: "scroll"}, element("table", {},
    element("thead", {}, element("tr", {}, ["sweep", "expanded", "peak", ""].map((title) => element("th", {}, title)))), element("tbody", {}, rows)),
    sweeps.length > shown.length ? element("div", {class: "faint"}, `and ${sweeps.length - shown.length} more`) : null);
}
