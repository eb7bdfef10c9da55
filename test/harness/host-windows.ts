// The windows that in-host suites run in: what each has open.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WindowKind } from "./host-context";
import { sampleFixture } from "./server";

/** What a window opens. */
export interface HostWindow {
  /** Its folders, absolute. */
  folders: string[];
  /** A `.code-workspace` file, when there is more than one folder. */
  workspace?: string;
  trust: boolean;
}

/** Makes the folders of a window below `base`. */
export function prepareWindow(kind: WindowKind, base: string): HostWindow {
  const copy = (name: string) => {
    const folder = join(base, name);
    mkdirSync(base, { recursive: true });
    cpSync(sampleFixture, folder, { recursive: true });
    return folder;
  };
  switch (kind) {
    case "folder":
      return { folders: [copy("sample")], trust: true };
    case "untrusted":
      return { folders: [copy("sample")], trust: false };
    case "nofolder":
      return { folders: [], trust: true };
    case "multiroot": {
      const folders = [copy("first"), copy("second")];
      const workspace = join(base, "both.code-workspace");
      writeFileSync(workspace, JSON.stringify({ folders: folders.map((path) => ({ path })) }));
      return { folders, workspace, trust: true };
    }
  }
}
