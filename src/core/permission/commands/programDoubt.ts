import type { Files, GatedPath } from "../../../ports/files.js";
import type { Programs } from "../../../ports/programs.js";
import { ToolError } from "../../errors.js";
import { baseName, joinPath, parentPath } from "../../paths/pathShape.js";
import { resolveAnywhere } from "./resolveAnywhere.js";

/** Bytes of a project's file that are looked at; of a longer one only that it is there counts. */
const MAX_TEXT = 1_000_000;

/** A file of a project that chooses what runs, and what has to be in it to do so. Any text when absent. */
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
 * Programs of version managers, which run what a file of the project names: by a path on the way to them, and the files
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
  // Where package.json names none, it is changed to name the one that was downloaded (corepack 0.26 and later).
  { path: /\/corepack\//, files: named("package.json") },
  { path: /\/\.?swiftly(?:\/|$)/, files: named(".swift-version") },
  { path: /\/shims\/|\/\.?asdf(?:\/|$)/, files: [...MISE, ...VERSIONS, ...RUST, ...named(".prototools")] },
];

/** Programs that run, or fetch, what a file of the project names, whatever they are called for. */
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
 * Why a program that is known by its name may be another, or run what the workspace holds; undefined when it does not.
 *
 * @param name as the command has it
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
    // The folder is real, where the file may be a link that leads out.
    const place = await placeOf(files, parentPath(path));
    if (place !== "outside") {
      return place === "unknown"
        ? `\`${name}\` is a program in a folder that cannot be looked at`
        : `\`${name}\` is \`${joinPath(place.path, baseName(path))}\` of the workspace here, by PATH or a link`;
    }
  }
  const shim = SHIMS.find(({ path }) => found.some((each) => path.test(each)));
  const own = baseName(name);
  const choosers = [...(shim?.files ?? []), ...(Object.hasOwn(READERS, own) ? (READERS[own] ?? []) : [])];
  const chooser = choosers.length === 0 ? undefined : await chooserAbove(files, folder, choosers);
  return chooser === undefined ? undefined : `\`${name}\` runs what \`${chooser}\` names`;
}

/** Where a folder lies that exists: in the workspace, outside it, or not known. */
async function placeOf(files: Files, folder: string): Promise<GatedPath | "outside" | "unknown"> {
  try {
    const at = await resolveAnywhere(files, folder);
    return at.outside === true ? "outside" : at;
  } catch (error) {
    return error instanceof ToolError && error.type === "outside_workspace" ? "outside" : "unknown";
  }
}

/**
 * The path of the first such file in a folder and those above it that are of the workspace, or of the repository that
 * it is in.
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
      // What lies above is the user's own, unless it is of the same repository.
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

/** The text of a file; empty of what is there and is no text, or is too long; undefined where there is nothing. */
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
