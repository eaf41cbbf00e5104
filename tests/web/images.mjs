// Pictures of reports for the documents, light and dark: node tests/web/images.mjs (make images)
import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {launch, open, Reports, ROOT} from "./browser.mjs";

const PICTURES = {
  holds: ["check", "examples/lossy_channel.dve", "--deadlock", "--engine", "sweep"],
  violated: ["check", "examples/philosophers.dve", "--deadlock"],
  lasso: ["check", "examples/peterson.dve", "--ltl", "G F P0.critical"],
  tree: ["check", "examples/peterson.dve", "--ctl", "AG (EF P0.critical & AF P1.critical)"],
  unknown: ["check", "examples/peterson.dve", "--invariant", "turn < 2", "--states", "5", "--engine", "bfs"],
};

const folder = join(ROOT, "docs/images");
mkdirSync(folder, {recursive: true});
const browser = await launch();
const reports = new Reports();
for (const [name, options] of Object.entries(PICTURES)) {
  const address = reports.make(name, ...options);
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(browser, address, {colorScheme});
    if (name === "lasso") await page.click(".jump");
    else if (name === "violated") await page.click("button[title='next step']");
    await page.screenshot({path: join(folder, `report-${name}-${colorScheme}.png`)});
    await page.close();
  }
}
await browser.close();
reports.remove();
