import { l10n } from "../../shared/l10n.js";
import type { Look } from "../protocol.js";

/** Makes an element. Texts are only ever set as text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** One shape for each look, so that none depends on its colour. */
const SHAPES: Readonly<Record<Look, string>> = {
  ok: "M2.5 8.5l3.5 3.5 7.5-8",
  failed: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  refused: "M8 2a6 6 0 1 0 .01 0M4 12l8-8",
  stopped: "M4 4h8v8h-8z",
  running: "M5 3l8 5-8 5z",
  unknown: "M5.5 6a2.5 2.5 0 1 1 3.5 2.3q-1 .5-1 1.7M8 12.4v1",
};

/** Makes the mark of a look, which a screen reader passes over: the words say it. */
export function mark(look: Look): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({
    width: "14",
    height: "14",
    viewBox: "0 0 16 16",
    "aria-hidden": "true",
  })) {
    svg.setAttribute(key, value);
  }
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({
    d: SHAPES[look],
    fill: "none",
    stroke: "currentColor",
    "stroke-width": "1.8",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  })) {
    path.setAttribute(key, value);
  }
  svg.append(path);
  return svg;
}

/** Formats a time span. */
export function span(ms: number): string {
  if (ms < 1_000) {
    return l10n.t("{0} ms", Math.round(ms));
  }
  if (ms < 60_000) {
    return l10n.t("{0} s", (ms / 1_000).toFixed(ms < 10_000 ? 1 : 0));
  }
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60
    ? l10n.t("{0} min {1} s", minutes, Math.round((ms % 60_000) / 1_000))
    : l10n.t("{0} h {1} min", Math.floor(minutes / 60), minutes % 60);
}
