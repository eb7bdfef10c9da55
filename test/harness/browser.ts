// One headless Chromium for all windows of a test process. It ends with the process.
import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { findChromium } from "../../scripts/ensure-chromium.mjs";

/** Quiet and offline; without a sandbox, which root may not use. */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The workbench makes so much short-lived garbage that collecting it often costs a tenth of the processor time; and
  // no page lives long enough to earn back what is spent on optimizing its code.
  "--js-flags=--min-semi-space-size=64,--no-opt,--no-maglev",
];

const signals = ["SIGTERM", "SIGHUP"] as const;

let running: Promise<Browser> | undefined;

/** @returns the browser, started on first use */
function browser(): Promise<Browser> {
  running ??= launch();
  return running;
}

/** Opens a profile of its own, with pages of the given size. */
export async function newContext(viewport: { width: number; height: number }): Promise<BrowserContext> {
  const context = await (await browser()).newContext({ viewport });
  // A limit for what hangs, not for what a busy machine draws slowly.
  context.setDefaultTimeout(120_000);
  // What turns until an answer comes is drawn again sixty times a second, by a processor that the answer needs.
  await context.addInitScript(() => {
    const once = new CSSStyleSheet();
    once.replaceSync("*, ::before, ::after { animation-iteration-count: 1 !important; }");
    document.adoptedStyleSheets.push(once);
  });
  return context;
}

/** Ends the browser; the next {@link browser} starts another. */
export async function closeBrowser(): Promise<void> {
  const ending = running;
  running = undefined;
  await (await ending)?.close();
}

async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined)
    throw new Error("No Chromium found: run `npm test` once, or set TOOLHOST_CHROMIUM.");
  const started = await chromium.launch({ executablePath, args: flags, handleSIGTERM: false, handleSIGHUP: false });
  // Playwright's own handlers of these signals end the browser and not this process. Where it exits, Playwright ends
  // the browser and deletes its profile at once: vitest ends its workers by SIGTERM.
  const exit = (): void => process.exit(1);
  for (const signal of signals) process.once(signal, exit);
  started.once("disconnected", () => {
    for (const signal of signals) process.off(signal, exit);
    // After a crash the next window gets a new one.
    running = undefined;
  });
  return started;
}
