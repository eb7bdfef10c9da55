import { joinPath } from "../../core/paths/pathShape.js";
import type { SearchRequest } from "../../ports/search.js";
import type { Ripgrep } from "./ripgrep.js";
import { fileFlags } from "./arguments.js";
import { checkListing } from "./end.js";
import { isLeftIn, plainName, type Target } from "./target.js";

/** Lists the files that a search would cover, by their names below the folder. */
export async function listFiles(
  run: Ripgrep,
  request: Pick<SearchRequest, "include" | "exclude" | "includeIgnored">,
  target: Target,
  signal: AbortSignal,
  onName: (name: string) => void,
): ReturnType<Ripgrep> {
  const end = await run({
    args: ["--no-config", "--files", "--null", ...fileFlags(request, target.cwd, target.scope), "--", target.operand],
    cwd: target.cwd,
    signal,
    lineEnd: "\0",
    onLine: (line) => {
      const name = plainName(line, target);
      if (isLeftIn(request, target, name)) {
        onName(name);
      }
    },
  });
  checkListing(end.exitCode, end.errors);
  return end;
}

/** Returns absolute paths of the files that a search of a folder covers. */
export async function coveredFiles(
  run: Ripgrep,
  request: SearchRequest,
  target: Target,
  signal: AbortSignal,
): Promise<Set<string>> {
  const listed = new Set<string>();
  await listFiles(run, request, target, signal, (name) => listed.add(joinPath(target.cwd, name)));
  return listed;
}
