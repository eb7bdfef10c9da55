import { ToolError } from "../../core/errors.js";
import type { ChangeOutcome } from "../../ports/changes.js";

/** How often a change is worked out on a file that others keep changing. */
const MAX_TRIES = 3;

/** How a change is made. */
export interface PlannedChange<Plan> {
  /** What a person was shown: that and nothing else is made. */
  shown: Plan | undefined;
  /** Works it out on what stands there. Throws `stale` itself where the session has to have read that. */
  plan: () => Promise<Plan>;
  apply: (plan: Plan) => Promise<ChangeOutcome>;
  /** Whether it may be made on another text than it was first worked out on. */
  mayRepeat?: (plan: Plan) => boolean;
}

/**
 * Makes a change. One that nobody was shown and that finds its file changed in between, by another call of the same
 * batch say, is worked out again: an edit names the text it replaces.
 */
export async function applyPlanned<Plan>({
  shown,
  plan,
  apply,
  mayRepeat = () => true,
}: PlannedChange<Plan>): Promise<{ plan: Plan; outcome: ChangeOutcome }> {
  for (let left = MAX_TRIES - 1; ; left--) {
    const made = shown ?? (await plan());
    try {
      return { plan: made, outcome: await apply(made) };
    } catch (error) {
      const isStale = error instanceof ToolError && error.type === "stale";
      if (!isStale || shown !== undefined || left === 0 || !mayRepeat(made)) {
        throw error;
      }
    }
  }
}
