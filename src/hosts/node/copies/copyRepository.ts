import { lstatSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseGitConfig } from "../../../shell/gitConfig.js";
import { readRegular } from "../effects/readRegular.js";
import { placeOf, topAbove, type GitPlace } from "../gitTree.js";

/** Maximum bytes of the files of a repository that are read, and of its index. */
const MAX_TEXT = 1_000_000;
const MAX_REFS = 64_000_000;
const MAX_INDEX = 512_000_000;
/** Maximum number of refs that have files of their own. */
const MAX_LOOSE = 50_000;

/**
 * Settings that a copy takes over: they say how files are stored and who commits, and none of them names a program.
 * Remotes stay behind, so that nothing is pushed from a copy.
 */
const KEPT =
  /^(?:core\.(?:autocrlf|eol|safecrlf|filemode|ignorecase|symlinks|precomposeunicode)|user\.(?:name|email))$/;

/** The repository of a copy. */
export interface CopiedRepository {
  /** The real path of the folder of objects that it reads; absent if there is no repository. */
  objects?: string;
  /** Why it has none although the folder has one, as a sentence. */
  missing?: string;
}

/**
 * Gives a copy of a working tree a Git repository of its own, with the history of the original's, whose objects it
 * reads (`objects/info/alternates`): branches, commits and the index are its own. Git is not run: no hook or filter
 * of the original's configuration can be, and nothing is written into its repository.
 *
 * @param original the top of the working tree
 */
export function copyRepository(original: string, copy: string): CopiedRepository {
  const place = placeOf(join(original, ".git"));
  if (place === undefined) {
    return topAbove(original) === undefined ? {} : none("that of the folder is in a folder above it");
  }
  const { own, common } = place;
  if (!isOwn(original, place)) {
    return none("that of the folder leads elsewhere");
  }
  const config = parseGitConfig(textOf(join(common, "config")) ?? "");
  const head = textOf(join(own, "HEAD"));
  if (config === undefined || head === undefined) {
    return none("the folder's own cannot be read");
  }
  const valueOf = (name: string): string | undefined => config.findLast((setting) => setting.name === name)?.value;
  const format = valueOf("extensions.objectformat") ?? "sha1";
  if ((valueOf("extensions.refstorage") ?? "files") !== "files" || !/^sha(?:1|256)$/.test(format)) {
    return none("the folder's own keeps its branches in a form that cannot be copied");
  }
  const objects = realpathSync(join(common, "objects"));
  if (/[\n"]/.test(objects)) {
    return none("the path of the folder's own has characters that Git cannot read there");
  }
  const git = join(copy, ".git");
  mkdirSync(join(git, "objects", "info"), { recursive: true, mode: 0o700 });
  mkdirSync(join(git, "objects", "pack"));
  mkdirSync(join(git, "refs", "heads"), { recursive: true });
  writeFileSync(join(git, "objects", "info", "alternates"), `${objects}\n`);
  writeFileSync(join(git, "HEAD"), head);
  const kept = config.filter(({ name }) => KEPT.test(name));
  writeFileSync(
    join(git, "config"),
    [
      ...(format === "sha1"
        ? ["[core]", "\trepositoryformatversion = 0"]
        : ["[core]", "\trepositoryformatversion = 1", "[extensions]", `\tobjectformat = ${format}`]),
      ...["[core]", "\tbare = false"],
      ...kept.flatMap(({ name, value }) => {
        const [section = "", key = ""] = name.split(".");
        return [`[${section}]`, `\t${key} = ${quoted(value)}`];
      }),
      "",
    ].join("\n"),
  );
  copyRefs(common, git);
  for (const name of ["packed-refs", "shallow"]) {
    writeIfThere(join(git, name), join(common, name), MAX_REFS);
  }
  const excludes = textOf(join(common, "info", "exclude"));
  if (excludes !== undefined) {
    mkdirSync(join(git, "info"));
    writeFileSync(join(git, "info", "exclude"), excludes);
  }
  for (const name of readdirSync(own).filter((each) => /^(?:index|sharedindex\.[0-9a-f]+)$/.test(each))) {
    // It says what is to be committed.
    writeIfThere(join(git, name), join(own, name), MAX_INDEX);
  }
  return { objects };
}

/**
 * Whether a repository is that of a working tree, and not another that whoever made the folder had it lead to: a copy
 * shows what is in it as the folder's own. Of its folders none may be a link.
 */
function isOwn(original: string, { own, common }: GitPlace): boolean {
  try {
    const git = join(original, ".git");
    const at = realpathSync(common);
    const worktree = textOf(join(own, "gitdir"))?.trim();
    const isTree =
      realpathSync(own) === git ||
      (worktree !== undefined && resolve(own, worktree) === git && realpathSync(own).startsWith(`${at}/worktrees/`));
    return (
      isTree && (own !== git || at === git) && ["objects", "refs", "info"].every((name) => !isLink(join(at, name)))
    );
  } catch {
    return false;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function none(why: string): CopiedRepository {
  return { missing: `The copy has no Git repository: ${why}.` };
}

/** Copies branches, tags and others that have files of their own: names in this folder, never links. */
function copyRefs(common: string, git: string): void {
  let copied = 0;
  const copy = (folder: string): void => {
    for (const entry of readdirSync(join(common, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (copied++ > MAX_LOOSE) {
        return;
      }
      if (entry.isDirectory()) {
        mkdirSync(join(git, path), { recursive: true });
        copy(path);
      } else if (entry.isFile() && !entry.name.endsWith(".lock")) {
        writeIfThere(join(git, path), join(common, path), MAX_TEXT);
      }
    }
  };
  try {
    copy("refs");
  } catch {
    // Those that cannot be read are missing.
  }
}

function writeIfThere(to: string, from: string, max: number): void {
  const found = readRegular(from, max);
  if (found !== undefined) {
    writeFileSync(to, found.bytes, { mode: 0o600 });
  }
}

function textOf(path: string): string | undefined {
  return readRegular(path, MAX_TEXT)?.bytes.toString("utf8");
}

function quoted(value: string): string {
  return `"${value.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}
