// One headless Chromium for all windows of a test process.
import { chromium, type Browser } from "playwright-core";
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
];

let running: Promise<Browser> | undefined;

/** @returns the browser, started on first use */
export function browser(): Promise<Browser> {
  running ??= launch();
  return running;
}

/** Ends the browser; the next {@link browser} starts another. */
export async function closeBrowser(): Promise<void> {
  const ending = running;
  running = undefined;
  await (await ending)?.close();
}

function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error("No Chromium found: run `npm test` once, or set TOOLHOST_CHROMIUM.");
  // Without Playwright's own handlers these signals end this process, and the browser ends with its pipe.
  return chromium.launch({ executablePath, args: flags, handleSIGTERM: false, handleSIGHUP: false });
}
