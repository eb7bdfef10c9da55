import * as vscode from "vscode";
import { SETTING } from "../../names/settings.js";
import type { PlacedRule } from "../../ports/rules.js";

/** The user's own list of rules as it stands in the settings, which may hold anything. */
export function ownRules(): readonly unknown[] {
  const value: unknown = vscode.workspace.getConfiguration().inspect(SETTING.rules)?.globalValue;
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/**
 * Where a rule stands in the list, by its place (`toolhost.permissions.rules[2]`); undefined for one that is not of the
 * settings.
 */
export function indexOf({ source, place }: PlacedRule): number | undefined {
  const [, index] = /\[(\d+)\]$/.exec(place) ?? [];
  return source === "settings" && index !== undefined ? Number(index) : undefined;
}

/** Changes the list in the settings. */
export type ChangeRules = (work: (rules: readonly unknown[]) => readonly unknown[]) => Promise<void>;

/**
 * Puts rules in place of those from `index` on.
 *
 * @param expected what stands there as the person saw it. When it has changed meanwhile, nothing is written
 * @returns whether it was written
 */
export async function spliceRules(
  change: ChangeRules,
  index: number,
  expected: readonly unknown[],
  rules: readonly unknown[],
): Promise<boolean> {
  let done = false;
  await change((now) => {
    done = JSON.stringify(now.slice(index, index + expected.length)) === JSON.stringify(expected);
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
