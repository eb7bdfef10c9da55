// The windows that in-host suites run in: what each has open.
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WindowKind } from "./host-context";
import { findProject } from "../../scripts/ensure-project.mjs";
import { repository } from "../../scripts/paths.mjs";
import { sampleFixture } from "./server";

/** The extension behind memfs: addresses. */
const memfsExtension = join(repository, "test", "harness", "memfs-extension");

/** The example of an extension that uses ours. */
const exampleExtension = join(repository, "examples", "extension");

/** What a window opens. */
export interface HostWindow {
  /** Its folders, absolute. */
  folders: string[];
  /** A `.code-workspace` file, when there is more than one folder. */
  workspace?: string;
  /** The address of the folder, when it is not on disk. */
  address?: string;
  /** Extensions in addition to the product and the rig. */
  extensions: string[];
  /** Added to the environment of the extension host. */
  env: Record<string, string>;
  trust: boolean;
  /** User settings in addition to those of all windows. */
  settings?: Record<string, unknown>;
}

/** Makes the folders of a window below `base`. */
export function prepareWindow(kind: WindowKind, base: string): HostWindow {
  const copy = (name: string) => {
    const folder = join(base, name);
    mkdirSync(base, { recursive: true });
    cpSync(sampleFixture, folder, { recursive: true });
    return folder;
  };
  const plain = { trust: true, extensions: [], env: {} };
  switch (kind) {
    case "folder":
      return { ...plain, folders: [copy("sample")], extensions: [exampleExtension] };
    case "untrusted":
      return { ...plain, folders: [copy("sample")], trust: false };
    case "nofolder":
      return { ...plain, folders: [] };
    case "virtual":
      return {
        ...plain,
        folders: [],
        address: "memfs:/proj",
        extensions: [memfsExtension],
        env: { TOOLHOST_MEMFS: copy("sample") },
      };
    case "web":
      return {
        ...plain,
        folders: [],
        address: "memfs:/proj",
        extensions: [memfsExtension, repository],
        env: { TOOLHOST_MEMFS: copy("sample") },
        settings: { "remote.extensionKind": { "toolhost.toolhost": ["web"] } },
      };
    case "mixed": {
      const disk = copy("disk");
      const workspace = join(base, "mixed.code-workspace");
      writeFileSync(workspace, JSON.stringify({ folders: [{ path: disk }, { uri: "memfs:/proj", name: "memory" }] }));
      return {
        ...plain,
        folders: [disk],
        workspace,
        extensions: [memfsExtension],
        env: { TOOLHOST_MEMFS: copy("source") },
      };
    }
    case "project": {
      const folder = join(base, "project");
      cpSync(findProject(), folder, { recursive: true });
      // Both servers, as for users: the one that knows syntax alone answers while the other loads the project.
      return { ...plain, folders: [folder], settings: { "js/ts.tsserver.useSyntaxServer": "auto" } };
    }
    case "multiroot": {
      const folders = [copy("first"), copy("second")];
      const workspace = join(base, "both.code-workspace");
      writeFileSync(workspace, JSON.stringify({ folders: folders.map((path) => ({ path })) }));
      return { ...plain, folders, workspace };
    }
  }
}
