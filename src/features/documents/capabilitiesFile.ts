import { splitFrontMatter } from "../../text/frontMatter.js";
import { STATE_FOLDER } from "../../names/stateFolder.js";

/** The file where agents find what they can do, one line per topic. */
export const CAPABILITIES_PATH = `${STATE_FOLDER}/capabilities.md`;

const DEFAULT_FRONT_MATTER = "---\ntitle: Capabilities\nloading: always\nagent-modification: true\n---\n";

/** The parts of the capabilities file. */
export interface CapabilitiesFile {
  /** With its dashes and a line ending, as in the file; the default front matter if the file has none. */
  frontMatter: string;
  /** The file's line ending. */
  eol: string;
  body: string;
  /** Whether it is put into the system prompt automatically. */
  isLoaded: boolean;
  /** Whether agents may change it. */
  isOpen: boolean;
}

/** @param text undefined if there is no file */
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
