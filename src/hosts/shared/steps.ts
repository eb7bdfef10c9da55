import { NotTakenBack } from "../../core/errors.js";
import type { ChangeKeep, ChangeReport } from "../../ports/changes.js";
import type { Step } from "./disk.js";

/**
 * Makes all changes one after another, or none: if one fails, those before it are undone in reverse order.
 *
 * Throws the failing change's error; if a change could not be undone, an `io_error` that names both.
 *
 * @param steps each prepared, with the name people know its file by
 * @param keep records kept of the changes; `reports` are complete once all are made
 */
export async function commitAll(
  steps: readonly { name: string; step: Step }[],
  signal: AbortSignal,
  keep?: ChangeKeep,
  reports: readonly ChangeReport[] = [],
): Promise<void> {
  const done: (typeof steps)[number][] = [];
  try {
    signal.throwIfAborted();
    keep?.staged(steps.flatMap(({ step }) => (step.notes ?? []).map((note) => JSON.stringify(note))));
    // The system flushes the state, which the line before waits for, and all files together.
    await Promise.all(steps.map(async ({ step }) => step.flushed?.()));
    for (const each of steps) {
      // Once the first change is made, there is no stopping half-way.
      if (done.length === 0) {
        signal.throwIfAborted();
      }
      await each.step.commit();
      done.push(each);
    }
    await keep?.made(reports);
  } catch (error) {
    const kept: string[] = [];
    for (const { name, step } of done.reverse()) {
      await step.undo().catch((reason: unknown) => kept.push(`${name} (${message(reason)})`));
    }
    throw kept.length === 0 ? error : notTakenBack(error, kept);
  } finally {
    if (await releaseAll(steps)) {
      keep?.cleared();
    }
  }
}

/**
 * Frees what was prepared, last first: folders that one step created may contain another's. Returns whether nothing is
 * left.
 */
export async function releaseAll(steps: readonly { step: Step }[]): Promise<boolean> {
  let isClear = true;
  for (const { step } of [...steps].reverse()) {
    await step.release().catch(() => {
      isClear = false;
    });
  }
  return isClear;
}

/** Builds the error of a change that failed and left something behind. @param kept the files, each with the reason */
export function notTakenBack(error: unknown, kept: readonly string[]): NotTakenBack {
  return new NotTakenBack(
    `${message(error)} Earlier changes could not be undone: ${kept.join("; ")}.`,
    "Read these files before going on. The undo journal has their earlier content.",
  );
}

function message(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
