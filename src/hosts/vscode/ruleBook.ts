import * as vscode from "vscode";
import { readRules, type KnownTool } from "../../core/permission/rules/readRules.js";
import type { RuleStore } from "../../core/permission/rules/book.js";
import { sameRule } from "../../core/permission/rules/words.js";
import { SETTING } from "../../names/settings.js";
import type { PlacedRule, Rule } from "../../ports/rules.js";
import { userValue } from "./userSettings.js";
import { messageOf } from "../../text/words.js";

/**
 * The rules in the user's settings. Only the user's own settings are read: nothing in a workspace grants power or
 * removes a rule.
 */
export class SettingsRules implements RuleStore {
  readonly #tools: () => readonly KnownTool[];
  /** The setting's last value and its rules: the same objects until it, or the list of tools, changes. */
  #read: { value: unknown; text: string; tools: readonly KnownTool[]; rules: readonly PlacedRule[] } | undefined;
  /** Pending writes, which run one after another: each adds to the result of the previous one. */
  #writing: Promise<void> = Promise.resolve();

  /** @param tools returns the tools that rules may name; the same list until it changes */
  constructor(tools: () => readonly KnownTool[]) {
    this.#tools = tools;
  }

  rules(): readonly PlacedRule[] {
    const value = userValue(SETTING.rules);
    const tools = this.#tools();
    const read = this.#read?.tools === tools ? this.#read : undefined;
    if (read !== undefined && read.value === value) {
      return read.rules;
    }
    const text = JSON.stringify(value) ?? "";
    const rules = read?.text === text ? read.rules : readRules(value, "settings", SETTING.rules, tools);
    this.#read = { value, text, tools, rules };
    return rules;
  }

  /** Appends rules that are not there yet. Everything else in the settings, including comments, stays. */
  add(rules: readonly Rule[]): Promise<void> {
    return this.#update((before) => {
      const known = this.rules().flatMap(({ rule, broken }) => (broken === undefined ? [rule] : []));
      return [...before, ...rules.filter((rule) => !known.some((each) => sameRule(each, rule)))];
    });
  }

  /**
   * Changes the list as it is in the settings, including malformed rules.
   *
   * @throws Error if the settings cannot be written, or are not a list
   */
  change(work: (rules: readonly unknown[]) => readonly unknown[]): Promise<void> {
    return this.#update(work);
  }

  #update(work: (rules: readonly unknown[]) => readonly unknown[]): Promise<void> {
    const done = this.#writing.then(async () => {
      const value = userValue(SETTING.rules) ?? [];
      if (!Array.isArray(value)) {
        throw new Error(`the setting ${SETTING.rules} is not a list`);
      }
      await vscode.workspace.getConfiguration().update(SETTING.rules, work(value), vscode.ConfigurationTarget.Global);
    });
    this.#writing = done.catch(() => undefined);
    return done.catch((error: unknown) => {
      const why = messageOf(error);
      void vscode.window.showErrorMessage(
        `The rule could not be written to your settings, so it only applies to this call: ${why}`,
      );
      throw error;
    });
  }
}
