import { l10n } from "../../shared/l10n.js";
import type { Look, ShownCall } from "../protocol.js";
import { element } from "./elements.js";

/** What is chosen above the calls; empty: all. */
export interface Chosen {
  text: string;
  look: string;
  tool: string;
}

const looks = (): Readonly<Record<Look, string>> => ({
  ok: l10n.t("Done"),
  failed: l10n.t("Failed"),
  refused: l10n.t("Not Run"),
  stopped: l10n.t("Stopped"),
  running: l10n.t("Running"),
  unknown: l10n.t("Not Known"),
});

/** The fields that choose which calls are shown. */
export class Filter {
  readonly #text = element("input", {
    type: "search",
    placeholder: l10n.t("Filter calls"),
    "aria-label": l10n.t("Filter calls by text"),
  });
  readonly #look = element("select", { "aria-label": l10n.t("Outcome") });
  readonly #tool = element("select", { "aria-label": l10n.t("Tool") });
  readonly elements = [this.#text, this.#look, this.#tool];

  constructor(before: Partial<Chosen>, onChange: () => void) {
    this.#text.value = before.text ?? "";
    fill(this.#look, [["", l10n.t("All Outcomes")], ...Object.entries(looks())], before.look ?? "");
    fill(
      this.#tool,
      [["", l10n.t("All Tools")], ...(before.tool ? [[before.tool, before.tool] as const] : [])],
      before.tool ?? "",
    );
    this.#text.addEventListener("input", onChange);
    this.#look.addEventListener("change", onChange);
    this.#tool.addEventListener("change", onChange);
  }

  chosen(): Chosen {
    return { text: this.#text.value, look: this.#look.value, tool: this.#tool.value };
  }

  /** Lists the tools of the calls. */
  update(calls: readonly ShownCall[]): void {
    const chosen = this.#tool.value;
    const tools = [...new Set([...calls.map(({ tool }) => tool), ...(chosen === "" ? [] : [chosen])])].sort();
    fill(this.#tool, [["", l10n.t("All Tools")], ...tools.map((tool) => [tool, tool] as const)], chosen);
  }

  passes({ tool, subject, agent = "", words, look }: ShownCall): boolean {
    const chosen = this.chosen();
    const said = `${tool} ${subject} ${agent} ${words}`.toLowerCase();
    return (
      (chosen.look === "" || chosen.look === look) &&
      (chosen.tool === "" || chosen.tool === tool) &&
      chosen.text
        .toLowerCase()
        .split(/\s+/)
        .every((word) => said.includes(word))
    );
  }
}

/** Gives a list its entries, unless it has them: an open one would close. */
export function fill(list: HTMLSelectElement, entries: readonly (readonly [string, string])[], chosen: string): void {
  const now = [...list.options].map(({ value, text }) => [value, text]);
  if (JSON.stringify(now) !== JSON.stringify(entries)) {
    list.replaceChildren(...entries.map(([value, words]) => element("option", { value }, words)));
  }
  list.value = chosen;
}
