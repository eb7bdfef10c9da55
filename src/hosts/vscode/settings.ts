import * as vscode from "vscode";
import { readMemoryLimits } from "../../features/memory/limits.js";
import { PERMISSION_MODES, type PermissionMode } from "../../core/permission/modes.js";
import type { PipelineSettings } from "../../core/pipeline/pipeline.js";
import { GROUP_STATES, SETTING, type GroupState } from "../../names/settings.js";
import type { MemoryLimits } from "../../ports/memory.js";
import { settingValue, userValue } from "./userSettings.js";

/** Shortest time a tool is given: a limit of nothing would turn every tool off without saying so. */
const MIN_TIMEOUT_SECONDS = 1;
const DEFAULT_TIMEOUT_SECONDS = 30;

/** The user's settings as they are now. A value of the wrong shape counts as the safest one. */
export function readSettings(): PipelineSettings {
  const seconds = settingValue(SETTING.toolTimeout);
  return {
    mode: asMode(userValue(SETTING.permissionMode)),
    trusted: vscode.workspace.isTrusted,
    defaultTimeout:
      1000 * Math.max(MIN_TIMEOUT_SECONDS, typeof seconds === "number" ? seconds : DEFAULT_TIMEOUT_SECONDS),
    isGroupEnabled: (group) => groupState(group) !== "off" && (group !== "memory" || isMemoryOn()),
    turnedOffBy: (group) => (group === "memory" && !isMemoryOn() ? SETTING.memoryEnabled : undefined),
  };
}

/** What the notes of the memory may take, by the user's own settings. */
export function memoryLimits(): MemoryLimits {
  return readMemoryLimits(userValue(SETTING.memoryLimits));
}

function isMemoryOn(): boolean {
  return settingValue(SETTING.memoryEnabled) !== false;
}

/** How the user wants files to be changed. */
export function changeSettings(): {
  saveUnsaved: boolean;
  newProblems: boolean;
  updateImports: boolean;
  offerRules: boolean;
} {
  return {
    saveUnsaved: settingValue(SETTING.saveUnsaved) === true,
    newProblems: settingValue(SETTING.newProblems) !== false,
    updateImports: settingValue(SETTING.updateImports) === true,
    offerRules: settingValue(SETTING.offerRules) !== false,
  };
}

/**
 * The embeddings server as the user's own settings have it, unchecked: a workspace must not say where its texts are
 * sent.
 */
export function embeddingsSetting(): unknown {
  return userValue(SETTING.embeddings);
}

/** Writes to the user's settings that no rules are offered. */
export async function turnOffOffers(): Promise<void> {
  await vscode.workspace.getConfiguration().update(SETTING.offerRules, false, vscode.ConfigurationTarget.Global);
}

/** How much of a group the user wants. */
function groupState(group: string): GroupState {
  const state = settingValue(SETTING.group(group));
  return GROUP_STATES.find((known) => known === state) ?? "default";
}

function asMode(value: unknown): PermissionMode {
  return PERMISSION_MODES.find((mode) => mode === value) ?? (value === undefined ? "default" : "ask");
}
