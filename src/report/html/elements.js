"use strict";
// Small helpers that make elements. Text is always set as text, so nothing in a model can become markup.

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [event, handler] of Object.entries(value)) made.addEventListener(event, handler);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

function drawing(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const grouped = (number) => (number === null || number === undefined ? "unknown" : number.toLocaleString("en-US"));

function duration(seconds) {
  if (seconds < 0.001) return "< 1 ms";
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function memory(bytes) {
  if (bytes < 1 << 20) return `${Math.ceil(bytes / 1024)} KB`;
  if (bytes < 2 ** 30) return `${(bytes / 2 ** 20).toFixed(1)} MB`;
  return `${(bytes / 2 ** 30).toFixed(2)} GB`;
}

// A value of a state as text: numbers, names, lists, records, and what ITF wraps ({"#bigint": "5"}).
function valueText(value) {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    if ("#bigint" in value) return value["#bigint"];
    if ("#tup" in value) return `<${value["#tup"].map(valueText).join(", ")}>`;
    if ("#set" in value) return `{${value["#set"].map(valueText).join(", ")}}`;
    if ("#map" in value) return `{${value["#map"].map(([k, v]) => `${valueText(k)}: ${valueText(v)}`).join(", ")}}`;
    return `{${Object.entries(value).filter(([k]) => !k.startsWith("#")).map(([k, v]) => `${k}: ${valueText(v)}`).join(", ")}}`;
  }
  return String(value);
}
