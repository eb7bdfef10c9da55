import { stateRoot } from "../hosts/node/state/stateFolder.js";
import type { Sandbox } from "../hosts/node/processes/sandbox.js";
import { NodeViews } from "../hosts/node/processes/view/views.js";
import type { ChangeKeeper } from "../features/changes/changes.js";
import type { Door } from "../core/pipeline/activity.js";
import type { Files } from "../ports/files.js";
import { rootsOnDisk } from "./effects.js";

/**
 * Creates what gives commands views of the workspace, in which they change files.
 *
 * @param changes absent where no command runs
 * @param isOn whether the user wants it
 * @param onMissing called once with the reason why there are none, as a sentence
 */
export function openViews(
  files: Files,
  changes: Pick<ChangeKeeper, "publish"> | undefined,
  sandbox: Sandbox,
  isOn: () => boolean,
  onMissing: (why: string) => void,
): NodeViews {
  return new NodeViews({
    ...{ isOn, onMissing, stateFolder: stateRoot },
    isContained: () => sandbox.isThere(),
    roots: () => rootsOnDisk(files),
    isWhole: () => files.roots().every(({ scheme }) => scheme === "file"),
    publish: async (call, changed, newFolder, untouched) =>
      (await changes?.publish({ ...call, door: call.door as Door }, changed, files, newFolder, untouched)) ?? {
        dropped: "no command runs here.",
      },
  });
}
