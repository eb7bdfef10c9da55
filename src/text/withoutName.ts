import { shownName } from "./shownName.js";

/** Removes the name at the head of a message (`a.ts is a folder.`, `a.ts: the disk is full.`); the reader knows it. */
export function withoutName(message: string, name: string): string {
  const rests = [name, shownName(name)].filter((form) => message.startsWith(form));
  const rest = rests.map((form) => message.slice(form.length)).find((text) => /^:? /.test(text));
  return rest === undefined ? message : rest.replace(/^:? /, "");
}
