import type { Command } from "commander";
import type { Tool } from "../../core/contract.js";
import { failure, type Outcome } from "../../core/outcome.js";
import { ToolError } from "../../core/errors.js";
import type { PlacedRule } from "../../ports/rules.js";
import { messageOf } from "../../text/words.js";
import { ALLOW_ALL, ALLOW_FORMS, readAllowedRules } from "./allow.js";
import { collect } from "./collect.js";
import { EXIT } from "./exitCode.js";

/** What to do with a manifest. */
export interface ManifestRequest {
  action: "apply" | "diff";
  /** As it is written. */
  manifest: Record<string, unknown>;
  /** The folder that local sources are relative to. */
  hostRoot: string | undefined;
  rules: readonly PlacedRule[];
  allowAll: boolean;
}

/** What the command needs from the command line. */
interface ManifestDoor {
  tools: readonly Tool[];
  /** Reads a file of the user's, or standard input for `-`. */
  read(file: string): Promise<string>;
  run(request: ManifestRequest): Promise<Outcome>;
  usage(message: string): Error;
  print(outcome: Outcome, json: boolean): void;
  finish(exitCode: number): void;
}

interface Given {
  hostRoot?: string;
  allow?: string[];
  allowAll?: boolean;
  json?: boolean;
}

/** Adds `toolhost manifest`: a workspace made of what a file says. */
export function addManifestCommand(program: Command, door: ManifestDoor): void {
  const manifest = program
    .command("manifest")
    .description("make this folder what a workspace manifest says: files, folders, local copies, Git repositories");
  const add = (action: "apply" | "diff", description: string): void => {
    manifest
      .command(`${action} <file>`)
      .description(description)
      .option("--host-root <dir>", "the folder that local files are relative to (default: this folder)")
      .option("--allow <rule>", `allow instead of asking: ${ALLOW_FORMS} (repeatable)`, collect)
      .option("--allow-all", ALLOW_ALL)
      .option("--json", "print {ok, text, data, error} as one line of JSON")
      .action(async (file: string, { hostRoot, allow, allowAll = false, json = false }: Given) => {
        const { manifestTool } = await import("../shared/manifests.js");
        const rules = readAllowedRules(allow, { ...door, tools: [...door.tools, manifestTool()] });
        const read = await readGiven(door, file);
        door.print(
          "error" in read ? read : await door.run({ action, manifest: read.value, hostRoot, rules, allowAll }),
          json,
        );
      });
  };
  add("apply", "apply a manifest (a file of JSON, or - for standard input), all of it or nothing; undo takes it back");
  add("diff", "show what that would change");
  manifest
    .command("check <file>")
    .description("say what is wrong with a manifest, and what of it cannot be done; reads nothing else")
    .option("--json", "print {ok, text, data, error} as one line of JSON")
    .addHelpText("after", "\nExit code 0: all of it can be applied, 1: some of it cannot.")
    .action(async (file: string, { json = false }: Given) => {
      const read = await readGiven(door, file);
      const outcome = "error" in read ? read : read.checked;
      door.print(outcome, json);
      if (outcome.ok && (outcome.data as { unsupported: unknown[] }).unsupported.length > 0) {
        door.finish(EXIT.toolError);
      }
    });
}

/** Reads and checks a manifest. @returns the failure, if it has a problem */
async function readGiven(
  door: ManifestDoor,
  file: string,
): Promise<{ value: Record<string, unknown>; checked: Outcome } | Extract<Outcome, { ok: false }>> {
  const { checkManifest, parseManifest } = await import("../shared/manifests.js");
  try {
    let text: string;
    try {
      text = await door.read(file);
    } catch (error) {
      throw new ToolError("not_found", `${file} cannot be read: ${messageOf(error)}`, "Give the manifest's file.");
    }
    const value = parseManifest(text);
    const checked = checkManifest(value);
    return { value: value as Record<string, unknown>, checked };
  } catch (error) {
    return failure("manifest", error);
  }
}

/**
 * Returns the permissions of a manifest as rules.
 *
 * @throws Error that names the problem
 */
export async function manifestRules(read: (file: string) => Promise<string>, file: string): Promise<PlacedRule[]> {
  const { parseManifest, permissionRules } = await import("../shared/manifests.js");
  const place = `--manifest ${file}`;
  try {
    return permissionRules(parseManifest(await read(file))).map((rule) => ({ rule, source: "command line", place }));
  } catch (error) {
    throw new Error(`${place}: ${messageOf(error)}`);
  }
}
