import { stateRoot } from "../hosts/node/state/stateFolder.js";
import type { Sandbox } from "../hosts/node/processes/sandbox.js";
import type { NodeViews } from "../hosts/node/processes/view/views.js";
import type { ChangeKeeper } from "../features/changes/changes.js";
import { loadOnce } from "../core/once.js";
import type { Door } from "../core/pipeline/activity.js";
import type { Views } from "../ports/effects.js";
import type { Files } from "../ports/files.js";
import { rootsOnDisk } from "./effects.js";

export interface WorkspaceViews extends Views {
  /** Whether a command can have a view of the workspace as it is now. */
  canOpen: () => Promise<boolean>;
  /** Whether commands that ask are tried in one first. */
  rehearses: () => Promise<boolean>;
}

/**
 * Creates what gives commands views of the workspace, in which they change files.
 *
 * @param changes absent where no command runs
 * @param isOn whether the user wants it
 * @param isRehearsing whether the user wants commands that ask tried first
 * @param onMissing called once with the reason why there are none, as a sentence
 */
export function openViews(
  files: Files,
  changes: Pick<ChangeKeeper, "publish" | "shownPublication"> | undefined,
  sandbox: Sandbox,
  isOn: () => boolean,
  isRehearsing: () => boolean,
  onMissing: (why: string) => void,
): WorkspaceViews {
  const views = loadOnce(async (): Promise<NodeViews> => {
    const { NodeViews } = await import("../hosts/node/processes/view/views.js");
    return new NodeViews({
      ...{ isOn, onMissing, stateFolder: stateRoot },
      isContained: () => sandbox.isThere(),
      roots: () => rootsOnDisk(files),
      isWhole: () => files.roots().every(({ scheme }) => scheme === "file"),
      publish: async (call, changed, newFolder, untouched) =>
        (await changes?.publish({ ...call, door: call.door as Door }, changed, files, newFolder, untouched)) ?? {
          dropped: "no command runs here.",
        },
      shown: async (changed, newFolder) =>
        (await changes?.shownPublication(changed, files, newFolder)) ?? { dropped: "no command runs here." },
    });
  });
  return {
    // Where nobody wants them, nothing is loaded.
    canOpen: async () => isOn() && (await views()).canOpen(),
    rehearses: async () => isOn() && isRehearsing() && (await views()).canOpen(),
    open: async (...given) => (await views()).open(...given),
  };
}
