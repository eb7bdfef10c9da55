import type { UndoPlan } from "../../features/changes/journal/undo.js";
import { shownPath } from "../shared/words.js";

/** Whether changes are taken back, or an undo is, which makes them again. */
export type Direction = "undo" | "bring_back";

/** What an undo does to one file. */
export interface UndoStep {
  path: string;
  /** Of a move: where it was until then. */
  from?: string;
  did: "restored" | "deleted" | "brought_back" | "moved" | "already";
  /** Somebody changed it since, and that stays. */
  merged: boolean;
}

/** What an undo does, or has done, file by file. */
export function undoSteps({ files, changes }: Pick<UndoPlan, "files" | "changes">): UndoStep[] {
  return files.map(({ path, outcome }) => {
    const change = changes.find((candidate) => (candidate.kind === "move" ? candidate.to : candidate.at).path === path);
    const merged = outcome === "merged";
    switch (change?.kind) {
      case undefined:
        return { path, did: "already", merged };
      case "create":
        return { path, did: "brought_back", merged };
      case "replace":
        return { path, did: "restored", merged };
      case "delete":
        return { path, did: "deleted", merged };
      case "move":
        return { path, from: change.at.path, did: "moved", merged };
    }
  });
}

/** What happens to a file, in words that hold before and after: `restored to before`. */
export function stepWords({ from, did, merged }: UndoStep, direction: Direction): string {
  const again = direction === "bring_back";
  const kept = merged ? "; what was changed since stays" : "";
  switch (did) {
    case "restored":
      return `${again ? "changed again" : "restored to before"}${kept}`;
    case "deleted":
      return "deleted again";
    case "brought_back":
      return "brought back";
    case "moved":
      return `moved ${again ? "again" : "back"} from ${shownPath(from ?? "")}${kept}`;
    case "already":
      return again ? "has it already" : "is as before already";
  }
}

/** Lines for people, `src/a.ts: restored to before`; of many the first ones, and how many more. */
export function stepLines(steps: readonly UndoStep[], direction: Direction, max: number): string[] {
  const shown = steps.length <= max ? steps : steps.slice(0, max - 1);
  const more = steps.length - shown.length;
  return [
    ...shown.map((step) => `${shownPath(step.path)}: ${stepWords(step, direction)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}
