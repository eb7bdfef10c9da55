import * as vscode from "vscode";
import { SETTING } from "../../names/settings.js";
import type { PlacedRule } from "../../ports/rules.js";

/** Returns the user's list of rules from the settings, unchecked. */
export function ownRules(): readonly unknown[] {
  const value: unknown = vscode.workspace.getConfiguration().inspect(SETTING.rules)?.globalValue;
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Returns the index of a rule in the settings, from its place (`toolhost.permissions.rules[2]`); undefined for others. */
export function indexOf({ source, place }: PlacedRule): number | undefined {
  const [, index] = /\[(\d+)\]$/.exec(place) ?? [];
  return source === "settings" && index !== undefined ? Number(index) : undefined;
}

/** Changes the list in the settings. */
export type ChangeRules = (work: (rules: readonly unknown[]) => readonly unknown[]) => Promise<void>;

/**
 * Replaces the rules at `index`.
 *
 * @param expected the rules there as the user saw them. If they have changed in the meantime, nothing is written
 * @param isThere whether they are the rules that the user meant, and not equal ones that took their place
 * @returns whether the settings were written
 */
export async function spliceRules(
  change: ChangeRules,
  index: number,
  expected: readonly unknown[],
  rules: readonly unknown[],
  isThere = (): boolean => true,
): Promise<boolean> {
  let done = false;
  await change((now) => {
    // Asked only now: an earlier change may have been waiting to be written.
    done = isThere() && JSON.stringify(now.slice(index, index + expected.length)) === JSON.stringify(expected);
    return done ? [...now.slice(0, index), ...rules, ...now.slice(index + expected.length)] : now;
  });
  return done;
}

/** Shows the user's settings.json at the rules. */
export async function openRuleSettings(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
    revealSetting: { key: SETTING.rules, edit: ownRules().length === 0 },
  });
}
