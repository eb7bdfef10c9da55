import { isRecord } from "../../core/jsonSchema.js";

/** Statuses of a command whose changes nobody has seen, at least not all of them. */
const UNSEEN = ["background", "unobserved"];

/** Collects what a turn's commands changed that is not in the undo journal. */
export class Unrecorded {
  /** By process, or by call. */
  readonly #found = new Map<string, readonly string[]>();

  /** As phrases for people, each once. */
  get phrases(): string[] {
    return [...new Set([...this.#found.values()].flat())];
  }

  /** @param data the result of a call, of whatever tool */
  note(callId: string, data: unknown): void {
    if (!isRecord(data)) {
      return;
    }
    const { process, steps } = data;
    const commands = [data, process, ...(Array.isArray(steps) ? (steps as unknown[]) : [])].filter(isRecord);
    for (const [index, command] of commands.entries()) {
      const { process_id: id } = command;
      // What is said of a process in the background holds until it has ended.
      this.#found.set(typeof id === "string" ? id : `${callId} ${index}`, ofCommand(command));
    }
  }
}

function ofCommand({ status, changed }: Record<string, unknown>): string[] {
  if (!isRecord(changed)) {
    return UNSEEN.includes(String(status)) ? ["what a command that goes on, or was not observed, changes"] : [];
  }
  if ("unknown" in changed) {
    return [`what a command changed (${String(changed["unknown"])})`];
  }
  return [
    ...listed(changed, "not_undone", "more_not_undone", "changes"),
    ...listed(changed, "git", "more_git", "changes of Git"),
    ...listed(changed, "not_covered", "more_not_covered", "folders"),
  ];
}

function listed(changed: Record<string, unknown>, key: string, moreKey: string, what: string): string[] {
  const names = changed[key];
  const more = Number(changed[moreKey] ?? 0);
  return Array.isArray(names) ? [...names.map(String), ...(more > 0 ? [`${more} more ${what}`] : [])] : [];
}
