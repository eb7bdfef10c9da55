import { statWritable } from "../../hosts/node/disk/openRegular.js";
import { chooseShell } from "../../hosts/node/processes/shell.js";
import { memoryLimits, windowsShellSetting } from "../../hosts/vscode/settings.js";
import { trustsAll } from "../../hosts/vscode/userSettings.js";
import { codeFollower, commandReaders, machineCapabilities, syntaxCode } from "../pipeline.js";
import { keepState } from "../state.js";
import { USER_AGENT } from "../userAgent.js";
import { windowCode } from "./code.js";
import type { WindowFiles } from "./files.js";
import type { PipelineMachine, WindowParts } from "./pipeline.js";
import type { StateMachine } from "./state.js";

/** What a window's state needs of this machine. */
export function stateMachine({ disk, files }: WindowFiles): StateMachine {
  return {
    keep: keepState,
    foldCase: disk.foldCase,
    checkWritable: async (at) => {
      await (files.diskOf(at) && statWritable(at.absolute));
    },
  };
}

/** What a window's tools get of this machine. */
export function pipelineMachine({
  files,
  running,
  messages,
}: Pick<WindowParts, "files" | "running" | "messages">): PipelineMachine {
  chooseShell(windowsShellSetting());
  const { folder, disk, run } = files;
  return {
    capabilities: {
      ...machineCapabilities(folder, { disk, run, memory: memoryLimits, userAgent: USER_AGENT, trustsAll }),
      ...windowCode(syntaxCode(folder, files.files, files.search), files),
      ...{ processes: running.processes, tasks: running.tasks, messages },
    },
    commands: { ...commandReaders(folder), contains: running.contains, rehearses: running.rehearses },
    followCode: codeFollower(folder, files),
    platform: process.platform,
  };
}
