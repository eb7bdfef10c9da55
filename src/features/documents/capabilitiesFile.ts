import { splitFrontMatter } from "../../text/frontMatter.js";

/** Where agents find what they can do, in one line a theme. */
export const CAPABILITIES_PATH = ".toolhost/capabilities.md";

const DEFAULT_FRONT_MATTER = "---\ntitle: Capabilities\nloading: always\nagent-modification: true\n---\n";

/** The file of capabilities in parts. */
export interface CapabilitiesFile {
  /** With its dashes and an end of line, as it stands in the file; the usual one where there is none. */
  frontMatter: string;
  /** How its lines end. */
  eol: string;
  body: string;
  /** Whether it goes into the system prompt by itself. */
  isLoaded: boolean;
  /** Whether agents may change it. */
  isOpen: boolean;
}

/** @param text undefined for no file */
export function parseCapabilities(text: string | undefined): CapabilitiesFile {
  const whole = (text ?? "").replace(/^\uFEFF/, "");
  const eol = /\r\n?|\n/.exec(whole)?.[0] ?? "\n";
  const parts = splitFrontMatter(whole);
  const inside = parts === undefined || parts === "unclosed" ? "" : parts.yaml;
  const end = parts === undefined || parts === "unclosed" ? 0 : parts.end;
  const block = whole.slice(0, end);
  const valueOf = (key: string): string | undefined =>
    new RegExp(`^["']?${key}["']?[ \\t]*:[ \\t]*["']?([\\w-]+)`, "im").exec(inside)?.[1]?.toLowerCase();
  return {
    frontMatter:
      block === "" ? DEFAULT_FRONT_MATTER.replaceAll("\n", eol) : /[\r\n]$/.test(block) ? block : block + eol,
    eol,
    body: whole.slice(end),
    isLoaded: valueOf("loading") !== "contextual",
    isOpen: !["false", "no", "off"].includes(valueOf("agent-modification") ?? ""),
  };
}
