import * as vscode from "vscode";
import { readMemoryLimits } from "../../features/memory/limits.js";
import { PERMISSION_MODES, type PermissionMode } from "../../core/permission/modes.js";
import type { PipelineSettings } from "../../core/pipeline/pipeline.js";
import {
  CODE_SEARCHES,
  GROUP_STATES,
  SETTING,
  WINDOWS_SHELLS,
  type CodeSearch,
  type GroupState,
  type WindowsShell,
} from "../../names/settings.js";
import type { MemoryLimits } from "../../ports/memory.js";
import { sandboxHosts } from "./sandboxHosts.js";
import { settingValue, userValue } from "./userSettings.js";

/** Minimum time limit for a tool: a limit of zero would silently turn every tool off. */
const MIN_TIMEOUT_SECONDS = 1;
const DEFAULT_TIMEOUT_SECONDS = 30;
/** VS Code's setting that answers every question about a tool with yes. */
const AUTO_APPROVE = "chat.tools.global.autoApprove";

/** Reads the user's current settings. A value of the wrong shape counts as the safest one. */
export function readSettings(): PipelineSettings {
  const seconds = settingValue(SETTING.toolTimeout);
  const hosts = sandboxHosts();
  return {
    mode: asMode(userValue(SETTING.permissionMode)),
    trusted: vscode.workspace.isTrusted,
    ...(hosts !== undefined && { hosts }),
    defaultTimeout:
      1000 * Math.max(MIN_TIMEOUT_SECONDS, typeof seconds === "number" ? seconds : DEFAULT_TIMEOUT_SECONDS),
    timeoutSetBy: `the setting ${SETTING.toolTimeout}`,
    isGroupEnabled: (group) => groupState(group) !== "off" && (group !== "memory" || isMemoryOn()),
    turnedOffBy: (group) => (group === "memory" && !isMemoryOn() ? SETTING.memoryEnabled : undefined),
  };
}

/** Whether the user has turned on all tools of a group, not only the usual ones. */
export function isGroupWhole(group: string): boolean {
  return groupState(group) === "all";
}

/** Returns the memory's limits from the user's own settings. */
export function memoryLimits(): MemoryLimits {
  return readMemoryLimits(userValue(SETTING.memoryLimits));
}

function isMemoryOn(): boolean {
  return settingValue(SETTING.memoryEnabled) !== false;
}

/** Returns how the user wants files to be changed. */
export function changeSettings(): {
  saveUnsaved: boolean;
  newProblems: boolean;
  showInEditor: boolean;
  updateImports: boolean;
  offerRules: boolean;
} {
  return {
    saveUnsaved: settingValue(SETTING.saveUnsaved) === true,
    newProblems: settingValue(SETTING.newProblems) !== false,
    showInEditor: settingValue(SETTING.changesInEditor) !== false,
    updateImports: settingValue(SETTING.updateImports) === true,
    // Where VS Code answers its questions itself, nobody was asked who could wish to be asked less.
    offerRules: settingValue(SETTING.offerRules) !== false && settingValue(AUTO_APPROVE) !== true,
  };
}

/**
 * Returns the embeddings server in the user's own settings, unchecked: a workspace must not decide where its texts are
 * sent.
 */
export function embeddingsSetting(): unknown {
  return userValue(SETTING.embeddings);
}

/** Returns how code is searched, by the user's own settings: a workspace must not decide that code is sent somewhere. */
export function codeSearchSetting(): CodeSearch {
  const value = userValue(SETTING.codeSearch);
  return CODE_SEARCHES.find((known) => known === value) ?? "words";
}

/** Whether secrets are masked, by the user's own settings: a workspace must not decide that they are shown. */
export function secretsSetting(): boolean {
  return userValue(SETTING.maskSecrets) !== false;
}

/** Returns the shell for Windows in the user's own settings: a workspace must not decide what reads its commands. */
export function windowsShellSetting(): WindowsShell {
  const value = userValue(SETTING.windowsShell);
  return WINDOWS_SHELLS.find((known) => known === value) ?? "auto";
}

/** Returns whether commands are contained where the machine can. */
export function sandboxSetting(): boolean {
  return userValue(SETTING.sandboxCommands) !== "off";
}

/** Returns whether work on the project is among them; `work` is a former name of the default. */
export function viewsSetting(): boolean {
  return sandboxSetting() && userValue(SETTING.sandboxCommands) !== "read";
}

/** Returns whether commands that ask are tried first in a view. */
export function rehearseSetting(): boolean {
  return viewsSetting() && userValue(SETTING.sandboxRehearse) !== false;
}

/** Turns off offers of rules in the user's settings. */
export async function turnOffOffers(): Promise<void> {
  await vscode.workspace.getConfiguration().update(SETTING.offerRules, false, vscode.ConfigurationTarget.Global);
}

/** Whether a setting turns a group of tools on and off. */
export function hasGroupSetting(group: string): boolean {
  return vscode.workspace.getConfiguration().inspect(SETTING.group(group))?.defaultValue !== undefined;
}

/** Turns a group of tools on, with its default, or off, in the user's settings. */
export async function turnGroup(group: string, isOn: boolean): Promise<void> {
  const state: GroupState | undefined = isOn ? undefined : "off";
  await vscode.workspace.getConfiguration().update(SETTING.group(group), state, vscode.ConfigurationTarget.Global);
}

/** Returns how much of a group the user has enabled. */
function groupState(group: string): GroupState {
  const state = settingValue(SETTING.group(group));
  return GROUP_STATES.find((known) => known === state) ?? "default";
}

function asMode(value: unknown): PermissionMode {
  return PERMISSION_MODES.find((mode) => mode === value) ?? (value === undefined ? "default" : "ask");
}
