"use strict";
// Evidence of a formula of branching time: a tree of claims, each with a path or the parts that it rests on. Children and
// viewers are made when a claim is opened.

function evidenceView(evidence) {
  const kinds = {path: "along a path", parts: "because of its parts", evaluated: "evaluated in the state", all: "in every successor"};
  function claim(node, open) {
    const text = [element("span", {class: `verdict ${node.value ? "holds" : "violated"}`}, node.value ? "true" : "false"), " ", element("code", {}, node.formula),
      node.kind && kinds[node.kind] ? element("span", {class: "faint"}, "  " + kinds[node.kind]) : null,
      node.first !== undefined ? element("span", {class: "faint"}, node.first === node.last ? `  in state ${node.first}` : `  in states ${node.first} to ${node.last}`) : null];
    const children = node.children || [];
    if (children.length === 0 && !node.path && !node.text) return element("div", {class: "leaf"}, text);
    const inside = element("div");
    const made = element("details", {class: "claim", open}, element("summary", {}, text), inside);
    let filled = false;
    const fill = () => {
      if (filled || !made.open) return;
      filled = true;
      if (node.text) inside.append(element("div", {class: "leaf faint"}, node.text));
      if (node.path && node.path.states.length > 0) inside.append(pathView(node.path));
      inside.append(...children.map((child) => claim(child, children.length === 1)));
    };
    made.addEventListener("toggle", fill);
    fill();
    return made;
  }
  // A path of one state needs no viewer.
  function pathView(path) {
    if (path.states.length > 1 || (path.loop !== null && path.loop !== undefined)) return traceView(traceOfPath(path));
    const values = Object.entries(path.states[0]).map(([name, value]) => `${name} = ${valueText(value)}`);
    return element("div", {class: "leaf code faint"}, values.join(", "));
  }
  const view = element("div", {class: "evidence"});
  if (evidence.initial !== undefined) view.append(element("div", {class: "faint"}, `in initial state ${evidence.initial}`));
  view.append(claim(evidence.root, true));
  if (evidence.complete === false) view.append(element("div", {class: "faint"}, "The tree is cut where it became too large: … stands for the rest."));
  return view;
}
