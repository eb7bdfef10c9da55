import type { Files, GatedPath } from "../../../ports/files.js";
import type { Programs } from "../../../ports/programs.js";
import { ToolError } from "../../errors.js";
import { baseName, joinPath, parentPath } from "../../paths/pathShape.js";
import type { CommandPlaces } from "./places.js";
import { resolveAnywhere } from "./resolveAnywhere.js";

/** Maximum size of a project file that is read, in bytes; for a longer one only its existence counts. */
const MAX_TEXT = 1_000_000;

/** A project file that chooses what runs, and the text it must contain to do so. Any text if absent. */
interface Chooser {
  name: string;
  having?: RegExp;
}

const named = (...names: readonly string[]): readonly Chooser[] => names.map((name) => ({ name }));

const MISE = named(
  "mise.toml",
  ".mise.toml",
  "mise.local.toml",
  ".mise.local.toml",
  "mise",
  ".mise",
  ".config/mise.toml",
  ".config/mise",
  ".tool-versions",
);
const RUST = named("rust-toolchain", "rust-toolchain.toml");
const PACKAGE_MANAGER: readonly Chooser[] = [{ name: "package.json", having: /"(?:packageManager|devEngines)"/ }];
const VERSIONS = named(
  ".python-version",
  ".ruby-version",
  ".node-version",
  ".nvmrc",
  ".java-version",
  ".go-version",
  ".perl-version",
  ".php-version",
  ".terraform-version",
);

/**
 * Programs of version managers, which run what a project file names: recognized by a part of their path, with the files
 * they read.
 */
const SHIMS: readonly { path: RegExp; files: readonly Chooser[] }[] = [
  { path: /\/\.?pyenv\/(?:shims|libexec)\//, files: named(".python-version") },
  { path: /\/\.?rbenv\/(?:shims|libexec)\//, files: named(".ruby-version", ".rbenv-version") },
  { path: /\/\.?nodenv\/(?:shims|libexec)\//, files: named(".node-version") },
  {
    path: /\/rustup(?:-init)?$|\/\.?cargo\/bin\/(?:cargo|rustc|rustdoc|rustfmt|rust-\w+|clippy-driver|cargo-(?:clippy|fmt|miri))$/,
    files: RUST,
  },
  { path: /\/\.?volta\/|\/volta-shim$/, files: [{ name: "package.json", having: /"volta"/ }] },
  { path: /\/mise$|\/mise\//, files: MISE },
  // If package.json names no version, corepack adds the one that was downloaded (corepack 0.26 and later).
  { path: /\/corepack\//, files: named("package.json") },
  { path: /\/\.?swiftly(?:\/|$)/, files: named(".swift-version") },
  { path: /\/shims\/|\/\.?asdf(?:\/|$)/, files: [...MISE, ...VERSIONS, ...RUST, ...named(".prototools")] },
];

/** Programs that run, or fetch, what a project file names, whatever their arguments are. */
const READERS: Readonly<Record<string, readonly Chooser[]>> = {
  pnpm: [...named(".pnpmfile.cjs", ".pnpmfile.mjs"), ...PACKAGE_MANAGER],
  yarn: [
    { name: ".yarnrc.yml", having: /yarnPath|plugins/ },
    { name: ".yarnrc", having: /yarn-path/ },
    ...PACKAGE_MANAGER,
  ],
  poetry: named(".poetry"),
  pdm: named(".pdm-plugins"),
  dotnet: named("global.json"),
  go: [
    { name: "go.mod", having: /^\s*toolchain\s/m },
    { name: "go.work", having: /^\s*toolchain\s/m },
  ],
};

/**
 * Returns what tells why a program's name may refer to another program in one of some folders, or may run something
 * from the workspace; undefined if neither. Each name is looked up once per folder.
 */
export function programDoubts(
  programs: Programs,
  places: CommandPlaces,
): (name: string, bases: readonly string[]) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  const inFolder = (name: string, folder: string): Promise<string | undefined> => {
    const key = `${name}\n${folder}`;
    const doubt = known.get(key) ?? programDoubt(programs, places.files, name, folder);
    known.set(key, doubt);
    return doubt;
  };
  return async (name, bases) => {
    const doubts = await Promise.all((await places.foldersOf(bases)).map((folder) => inFolder(name, folder)));
    return doubts.find((doubt) => doubt !== undefined);
  };
}

/**
 * Returns why a program known by its name may be a different one, or may run something from the workspace; undefined if
 * neither.
 * @param name as written in the command
 * @param folder the host's own absolute path of the folder it runs in
 */
export async function programDoubt(
  programs: Programs,
  files: Files,
  name: string,
  folder: string,
): Promise<string | undefined> {
  const found = await programs.find(name, folder);
  for (const path of found) {
    // The folder is real, while the file may be a link that leads out.
    const place = await placeOf(files, parentPath(path));
    if (place !== "outside") {
      return place === "unknown"
        ? `\`${name}\` is a program in a folder that cannot be read`
        : `\`${name}\` is \`${joinPath(place.path, baseName(path))}\` in the workspace here, by PATH or a link`;
    }
  }
  const shim = SHIMS.find(({ path }) => found.some((each) => path.test(each)));
  const own = baseName(name);
  const choosers = [...(shim?.files ?? []), ...(Object.hasOwn(READERS, own) ? (READERS[own] ?? []) : [])];
  const chooser = choosers.length === 0 ? undefined : await chooserAbove(files, folder, choosers);
  return chooser === undefined ? undefined : `\`${name}\` runs what \`${chooser}\` names`;
}

/** Returns where an existing folder is: in the workspace, outside it, or unknown. */
async function placeOf(files: Files, folder: string): Promise<GatedPath | "outside" | "unknown"> {
  try {
    const at = await resolveAnywhere(files, folder);
    return at.outside === true ? "outside" : at;
  } catch (error) {
    return error instanceof ToolError && error.type === "outside_workspace" ? "outside" : "unknown";
  }
}

/**
 * Returns the name of the nearest file of `choosers` in a folder or its parents, up to the root of the workspace or of
 * the folder's repository.
 */
async function chooserAbove(files: Files, folder: string, choosers: readonly Chooser[]): Promise<string | undefined> {
  let above: string | undefined;
  for (let at = folder; ; at = parentPath(at)) {
    const found = await chooserIn(files, at, choosers);
    if ((await placeOf(files, at)) !== "outside") {
      if (found !== undefined) {
        return found;
      }
    } else {
      // Folders further up are the user's own, unless they belong to the same repository.
      above ??= found;
      if (above !== undefined && (await textOf(files, joinPath(at, ".git"))) !== undefined) {
        return above;
      }
    }
    if (parentPath(at) === at) {
      return undefined;
    }
  }
}

async function chooserIn(files: Files, folder: string, choosers: readonly Chooser[]): Promise<string | undefined> {
  for (const { name, having } of choosers) {
    const text = await textOf(files, joinPath(folder, name));
    if (text !== undefined && (having === undefined || text === "" || having.test(text))) {
      return name;
    }
  }
  return undefined;
}

/** Returns a file's text; empty if it exists but is not text, or is too long; undefined if there is nothing. */
async function textOf(files: Files, path: string): Promise<string | undefined> {
  try {
    const at = await resolveAnywhere(files, path);
    return (await files.stat(at)).kind === "file"
      ? await files.readSnapshot(at, MAX_TEXT).then(
          ({ text }) => text,
          () => "",
        )
      : "";
  } catch (error) {
    return error instanceof ToolError && error.type === "not_found" ? undefined : "";
  }
}
