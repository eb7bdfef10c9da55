import { poll } from "../harness/poll";
import type { RecordedRequest } from "../harness/rig/protocol";
import type { Workbench } from "../harness/workbench";

/** Says yes once to the next question, of whichever kind it is, or finds that there is none. */
export async function allowOnce(window: Workbench): Promise<void> {
  const asked = await poll("a question, or the answer", async () => {
    if (await window.chat.isAsking()) return "card";
    if ((await window.page.locator(".monaco-dialog-box").count()) > 0) return "dialog";
    if (await window.chat.isQuestioning()) return "question";
    return (await window.chat.isAnswering()) ? undefined : "none";
  });
  if (asked === "card") await (await window.chat.confirmation()).allow();
  if (asked === "question") await (await window.chat.question()).press("Allow Once");
  if (asked === "dialog") await (await window.dialog()).click("Allow Once");
}

/** The texts of all tool results that the last request told the model, in order. */
export function resultTexts(requests: readonly RecordedRequest[]): string[] {
  const last = requests.filter(({ scripted }) => scripted).at(-1);
  return (last?.messages ?? []).flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "result" ? [part.text] : [])),
  );
}

/**
 * What an edit of the sample's greeting returns: TypeScript's server says that nothing is wrong with it, or has not started
 * yet.
 */
export const EDITED =
  /^Edited src\/greet\.ts: 1 replacement at line 3\.\n(?:TypeScript reports no new problem in this file(?: and 1 file that imports it)?\.|Problems were not checked: TypeScript's server (?:(?:was not ready|did not answer) within 3 s|is not ready yet)\.)$/;
