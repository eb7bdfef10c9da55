/** Where agents find what they can do, in one line a theme. */
export const CAPABILITIES_PATH = ".toolhost/capabilities.md";

/** A block between lines of three dashes at the start of a file. */
const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n((?:.*\r?\n)*?)---[ \t]*(?:\r?\n|$)/;
const DEFAULT_FRONT_MATTER = "---\ntitle: Capabilities\nloading: always\nagent-modification: true\n---\n";
/** Characters in which front matter has to end. */
const MAX_FRONT_MATTER = 10_000;

/** The file of capabilities in parts. */
export interface CapabilitiesFile {
  /** With its dashes, as it stands in the file; the usual one where there is none. */
  frontMatter: string;
  body: string;
  /** Whether it goes into the system prompt by itself. */
  isLoaded: boolean;
  /** Whether agents may change it. */
  isOpen: boolean;
}

/** @param text undefined for no file */
export function parseCapabilities(text: string | undefined): CapabilitiesFile {
  const [block, inside = ""] = FRONT_MATTER.exec((text ?? "").slice(0, MAX_FRONT_MATTER)) ?? [];
  const valueOf = (key: string): string | undefined => new RegExp(`^${key}[ \\t]*:[ \\t]*["']?([\\w-]+)`, "im").exec(inside)?.[1]?.toLowerCase();
  return {
    frontMatter: block ?? DEFAULT_FRONT_MATTER,
    body: (text ?? "").slice(block?.length ?? 0),
    isLoaded: valueOf("loading") !== "contextual",
    isOpen: !["false", "no", "off"].includes(valueOf("agent-modification") ?? ""),
  };
}
