import { documentCall } from "../features/documents/document.js";
import { SKILL, type SkillFields } from "../features/documents/skill.js";
import type { Files } from "../ports/files.js";
import { oneLine, shorten } from "../text/clip.js";
import { listDocuments } from "../tools/documents/documentFiles.js";
import type { Listed } from "../tools/documents/documentType.js";
import { unreadText } from "./workspaceNotes.js";

/** Maximum number of listed skills: models choose badly among more, and a list shows the others. */
const MAX_OFFERED = 60;
/** Maximum characters of one description and of all descriptions. */
const MAX_DESCRIPTION = 400;
const MAX_DESCRIPTIONS = 12_000;

/**
 * Returns the section of the system prompt about the workspace's skills: one line each, name and description. The model
 * loads a skill's text with `document` and `arguments` when it uses it. Empty if there are no skills.
 *
 * If the skills' folder is a file or a link to the outside, there are none. If it cannot be read, the section says so.
 * Malformed skills are omitted, as are skills that only the user may start (`disable-model-invocation`, as in VS Code and
 * Claude Code).
 */
export async function offeredSkills(files: Files, signal: AbortSignal): Promise<string> {
  let listed: Listed<SkillFields>[];
  try {
    listed = await listDocuments(files, SKILL, signal);
  } catch (error) {
    signal.throwIfAborted();
    const unread = unreadText(error);
    return unread === undefined ? "" : `Workspace skills in ${SKILL.folder}: ${unread}`;
  }
  const skills = listed.flatMap(({ parsed }) =>
    parsed.ok && parsed.document.fields["disable-model-invocation"] !== true ? [parsed.document] : [],
  );
  if (skills.length === 0) {
    return "";
  }
  const offered = skills.slice(0, MAX_OFFERED);
  const room = Math.min(MAX_DESCRIPTION, Math.floor(MAX_DESCRIPTIONS / offered.length));
  const rest = skills.length - offered.length;
  return [
    'This workspace has skills: instructions for certain kinds of work. If one fits the request, load it first with document {"action": "read", "kind": "skill", "name": …, "arguments": …} and follow it; arguments is one line, empty for none.',
    // Text from the workspace, in tags that nothing in it can close.
    "<workspace_skills>",
    ...offered.map(
      ({ name, fields }) =>
        `- ${name}: ${shorten(oneLine(fields.description), room).replaceAll(/<(?=\/?workspace_skills)/gi, "‹")}`,
    ),
    "</workspace_skills>",
    ...(rest > 0 ? [`- and ${rest} more: ${documentCall("list", SKILL, '"query": …')} finds them`] : []),
  ].join("\n");
}
