import type { RecordedRequest } from "../harness/rig/protocol";

/** The texts of all tool results that the last request told the model, in order. */
export function resultTexts(requests: readonly RecordedRequest[]): string[] {
  const last = requests.filter(({ scripted }) => scripted).at(-1);
  return (last?.messages ?? []).flatMap(({ parts }) => parts.flatMap((part) => (part.type === "result" ? [part.text] : [])));
}
