import * as vscode from "vscode";
import { readRules, type KnownTool } from "../../core/permission/rules/readRules.js";
import type { RuleStore } from "../../core/permission/rules/book.js";
import { sameRule } from "../../core/permission/rules/words.js";
import { SETTING } from "../../names/settings.js";
import type { PlacedRule, Rule } from "../../ports/rules.js";
import { userValue } from "./userSettings.js";
import { messageOf } from "../../text/words.js";

/**
 * The rules in the user's settings. Only what the user wrote in their own settings is read: nothing in a workspace
 * grants power, or takes a rule away.
 */
export class SettingsRules implements RuleStore {
  readonly #tools: readonly KnownTool[];
  /** The setting as it was read last, and its rules: the same objects until it changes. */
  #read: { value: unknown; text: string; rules: readonly PlacedRule[] } | undefined;
  /** Writes one after another: each adds to what the one before wrote. */
  #writing: Promise<void> = Promise.resolve();

  constructor(tools: readonly KnownTool[]) {
    this.#tools = tools;
  }

  rules(): readonly PlacedRule[] {
    const value = userValue(SETTING.rules);
    if (this.#read !== undefined && this.#read.value === value) {
      return this.#read.rules;
    }
    const text = JSON.stringify(value) ?? "";
    const rules =
      this.#read?.text === text ? this.#read.rules : readRules(value, "settings", SETTING.rules, this.#tools);
    this.#read = { value, text, rules };
    return rules;
  }

  /** Appends rules that are not there yet. What else stands in the settings, comments too, is left as it is. */
  add(rules: readonly Rule[]): Promise<void> {
    return this.#update((before) => {
      const known = this.rules().flatMap(({ rule, broken }) => (broken === undefined ? [rule] : []));
      return [...before, ...rules.filter((rule) => !known.some((each) => sameRule(each, rule)))];
    });
  }

  /**
   * Changes the list as it stands in the settings, malformed rules included.
   *
   * @throws Error when the settings cannot be written, or hold something else than a list
   */
  change(work: (rules: readonly unknown[]) => readonly unknown[]): Promise<void> {
    return this.#update(work);
  }

  #update(work: (rules: readonly unknown[]) => readonly unknown[]): Promise<void> {
    const done = this.#writing.then(async () => {
      const value = userValue(SETTING.rules) ?? [];
      if (!Array.isArray(value)) {
        throw new Error(`the setting ${SETTING.rules} is no list`);
      }
      await vscode.workspace.getConfiguration().update(SETTING.rules, work(value), vscode.ConfigurationTarget.Global);
    });
    this.#writing = done.catch(() => undefined);
    return done.catch((error: unknown) => {
      const why = messageOf(error);
      void vscode.window.showErrorMessage(
        `The rule could not be written to your settings, so it holds for this call alone: ${why}`,
      );
      throw error;
    });
  }
}
