// The HTML report as a person uses it: node --test tests/web
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {launch, open, Reports} from "./browser.mjs";

let browser;
let reports;
before(async () => {
  reports = new Reports();
  browser = await launch();
});
after(async () => {
  await browser.close();
  reports.remove();
});

const rows = (page) => page.$$eval(".trace tbody tr", (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
const place = (page) => page.textContent(".trace .place");

test("a violated property is open, and its run can be stepped through", async () => {
  const page = await open(browser, reports.make("violated", "check", "examples/philosophers.dve", "--deadlock"));
  assert.match(await page.textContent("h1"), /VIOLATED/);
  assert.equal(await page.getAttribute(".property", "aria-expanded"), "true");
  assert.match(await place(page), /^state 0 of \d+$/);
  const first = await rows(page);
  await page.click("button[title='next step']");
  assert.match(await place(page), /^state 1 of/);
  const second = await rows(page);
  // What is marked as changed is what differs, with the value before.
  const changed = await page.$$eval(".trace tr.changed", (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  const different = second.filter((row, i) => row[1] !== first[i][1]);
  assert.ok(different.length > 0);
  assert.deepEqual(changed.map((row) => row[0]), different.map((row) => row[0]));
  for (const row of changed) assert.equal(row[2], first.find((other) => other[0] === row[0])[1]);
  await page.click("button[title='previous step']");
  assert.deepEqual(await rows(page), first);
  await page.focus(".trace");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await rows(page), second);
  await page.click("button[title='last state']");
  assert.ok(await page.isDisabled("button[title='next step']"));
  assert.deepEqual(page.problems, []);
});

test("a lasso can be entered and goes round", async () => {
  const page = await open(browser, reports.make("lasso", "check", "examples/peterson.dve", "--ltl", "G F P0.critical"));
  const loop = Number(/(\d+)$/.exec(await page.textContent(".jump"))[1]);
  await page.click(".jump");
  assert.match(await place(page), new RegExp(`^state ${loop} of \\d+ \\(in the loop\\)$`));
  const there = await rows(page);
  await page.click("button[title='last state']");
  assert.match(await page.textContent(".step"), new RegExp(`leads back to state ${loop}$`));
  await page.click("button[title='next step']");
  assert.deepEqual((await rows(page)).map((row) => row.slice(0, 2)), there.map((row) => row.slice(0, 2)));
  assert.deepEqual(page.problems, []);
});

test("a step of the sequence diagram leads to its state", async () => {
  const page = await open(browser, reports.make("diagram", "check", "examples/peterson.dve", "--ltl", "G F P0.critical"));
  await page.click(".diagram [data-step='2']");
  assert.match(await place(page), /^state 2 of/);
  assert.deepEqual(page.problems, []);
});

test("variables are filtered, by name and by change", async () => {
  const page = await open(browser, reports.make("filter", "check", "examples/peterson.dve", "--ltl", "G F P0.critical"));
  const all = await rows(page);
  await page.fill("input[type=search]", "TURN");
  assert.deepEqual((await rows(page)).map((row) => row[0]), ["turn"]);
  await page.fill("input[type=search]", "");
  await page.click("button[title='next step']");
  await page.check("input[type=checkbox]");
  const changed = await rows(page);
  assert.ok(changed.length > 0 && changed.length < all.length);
  assert.deepEqual(page.problems, []);
});

test("evidence of branching time opens claim by claim, down to its atoms", async () => {
  const page = await open(browser, reports.make("tree", "check", "examples/peterson.dve", "--ctl", "AG (EF P0.critical & AF P1.critical)"));
  for (let i = 0; i < 20; ++i) {
    const closed = await page.$$("details.claim:not([open]) > summary");
    if (closed.length === 0) break;
    await closed[0].click();
  }
  const text = await page.textContent(".evidence");
  assert.match(text, /false AF P1\.critical/);
  assert.match(await page.textContent(".evidence .leaf:last-of-type"), /P1\.critical|P0 = /);
  assert.ok((await page.$$(".evidence .trace")).length > 0, "the path can be stepped through");
  assert.deepEqual(page.problems, []);
});

test("a property that holds, and how the sweep went", async () => {
  const page = await open(browser, reports.make("holds", "check", "examples/lossy_channel.dve", "--deadlock", "--engine", "sweep"));
  assert.match(await page.textContent("h1"), /HOLDS/);
  assert.match(await page.textContent(".history"), /states in memory at most/);
  assert.match(await page.textContent(".command"), /check examples\/lossy_channel\.dve --deadlock --engine sweep/);
  assert.deepEqual(page.problems, []);
});

test("texts of a model are never markup", async () => {
  const model = reports.write("odd.dve", "int x;\nprocess P { state s; init s; trans s -> s { guard x < 2 /* <img src=x onerror=alert(1)> */; effect x = x + 1; }; }\nsystem async;\n");
  const page = await open(browser, reports.make("odd", "check", model, "--invariant", "x < 2"));
  await page.click("button[title='last state']");
  assert.equal((await page.$$("img")).length, 0);
  assert.deepEqual(page.problems, []);
});

test("light and dark follow the system, and can be changed", async () => {
  const address = reports.make("theme", "explore", "examples/peterson.dve");
  const page = await open(browser, address, {colorScheme: "dark"});
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.click(".theme");
  assert.notEqual(await background(), dark);
  assert.deepEqual(page.problems, []);
});

test("a trace of 5,000 steps is shown within two seconds", async () => {
  const model = reports.write("long.dve", "int x;\nbyte f[20];\nprocess P { state s; init s; trans s -> s { guard x < 5000; effect x = x + 1, f[x % 20] = x % 7; }; }\nsystem async;\n");
  const address = reports.make("long", "check", model, "--deadlock");
  const begin = Date.now();
  const page = await open(browser, address);
  const painted = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))));
  assert.ok(painted < 2000 && Date.now() - begin < 4000, `${painted} ms`);
  assert.match(await place(page), /^state 0 of 5000$/);
  await page.click("button[title='last state']");
  assert.match(await place(page), /^state 5000 of 5000$/);
  assert.deepEqual(page.problems, []);
});
