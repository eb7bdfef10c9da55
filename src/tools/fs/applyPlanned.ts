import { ToolError } from "../../core/errors.js";
import type { ChangeOutcome } from "../../ports/changes.js";

/** How often to plan a change of a file that others keep changing. */
const MAX_TRIES = 3;

/** How to plan and make a change. */
export interface PlannedChange<Plan> {
  /** The plan that a person was shown; exactly this is applied. */
  shown: Plan | undefined;
  /** Plans the change for the current content. Throws `stale` itself if the session must have read that content. */
  plan: () => Promise<Plan>;
  apply: (plan: Plan) => Promise<ChangeOutcome>;
  /** Whether the change may be planned again for a different text. */
  mayRepeat?: (plan: Plan) => boolean;
}

/**
 * Makes a change. If nobody was shown it and its file changed in between (by another call of the same batch, for
 * example), plans it again, which is safe because an edit names the text it replaces.
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
