import type { ApprovedDocuments } from "../../ports/approvals.js";
import { textVersion } from "../../text/contentVersion.js";
import type { WorkState } from "./workState.js";

/**
 * Returns the user's approvals of documents in a workspace's state.
 *
 * @param work returns that state, or throws why it is not stored
 * @param byOwner whether a person makes every call here
 */
export function workApprovals(work: () => Promise<WorkState>, byOwner: boolean): ApprovedDocuments {
  return {
    byOwner,
    isApproved: async (document, text) => (await work()).approvals.isApproved(document, text),
    approve: async (document, text) => {
      const { approvals, runs } = await work();
      await approvals.approve(document, text);
      // Due times count from now on: runs that were due before the approval are not made up for.
      runs.forget(document);
      runs.since(document, await textVersion(text), Date.now());
    },
    revoke: async (document) => void (await work()).approvals.revoke(document),
  };
}
