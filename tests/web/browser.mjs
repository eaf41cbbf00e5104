// Reports of runs, and a browser that shows them. TIDELINE_BINARY: the program; CHROMIUM: the browser.
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {chromium} from "playwright-core";

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const BINARY = resolve(process.env.TIDELINE_BINARY || join(ROOT, "build/release/tideline"));

// A browser that asks nothing of the network.
export async function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

export class Reports {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "tideline-web-"));
    symlinkSync(join(ROOT, "examples"), join(this.folder, "examples"));
  }
  remove() {
    rmSync(this.folder, {recursive: true, force: true});
  }
  write(name, text) {
    writeFileSync(join(this.folder, name), text);
    return name;
  }
  // The address of the report of a run. Exit statuses 1 (violated) and 3 (not decided) are results too.
  make(name, ...options) {
    const path = name + ".html";
    try {
      execFileSync(BINARY, [...options, "--quiet", "--report", path], {cwd: this.folder, stdio: "pipe"});
    } catch (error) {
      if (error.status !== 1 && error.status !== 3) throw new Error(`${options.join(" ")}: ${error.stderr}`);
    }
    return pathToFileURL(join(this.folder, path)).href;
  }
}

// A page with what it reported as an error or wanted from outside.
export async function open(browser, address, options = {}) {
  const page = await browser.newPage({viewport: {width: 1200, height: 900}, ...options});
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(error.message));
  page.on("console", (message) => { if (message.type() === "error") page.problems.push(message.text()); });
  page.on("request", (request) => { if (!request.url().startsWith("file:")) page.problems.push(`asks for ${request.url()}`); });
  await page.goto(address);
  await page.waitForSelector("h1");
  return page;
}
