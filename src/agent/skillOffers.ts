import { SKILL, type SkillFields } from "../features/documents/skill.js";
import type { Files } from "../ports/files.js";
import { oneLine, shorten } from "../text/clip.js";
import { listDocuments } from "../tools/documents/documentFiles.js";
import type { Listed } from "../tools/documents/documentType.js";
import { unreadText } from "./workspaceNotes.js";

/** Skills named to a model: of more it could not choose well, and skill_list has the others. */
const MAX_OFFERED = 60;
/** Characters of one description, and of all together: many share them. */
const MAX_DESCRIPTION = 400;
const MAX_DESCRIPTIONS = 12_000;

/**
 * What the model of an agent is told of the workspace's skills before the conversation: a line for each, name and
 * description. Their texts are loaded when they are used, by `skill_read` with `arguments`. Empty where there are none.
 *
 * Where the folder of the skills is a file, or a link that leads out, there are none: a turn goes on without. Of one
 * that cannot be read it is said. Malformed skills are left out, and those that only the user may start
 * (`disable-model-invocation`, as VS Code and Claude Code have it).
 */
export async function offeredSkills(files: Files, signal: AbortSignal): Promise<string> {
  let listed: Listed<SkillFields>[];
  try {
    listed = await listDocuments(files, SKILL, signal);
  } catch (error) {
    signal.throwIfAborted();
    const unread = unreadText(error);
    return unread === undefined ? "" : `Skills of the workspace, in ${SKILL.folder}: ${unread}`;
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
    'This workspace has skills: instructions for some kinds of work. When one fits what the user asked for, load it first with skill_read {"name": …, "arguments": …} and follow it; arguments is one line, empty for none.',
    // The workspace's own words, marked so that nothing in them can pass for the end of the mark.
    "<workspace_skills>",
    ...offered.map(
      ({ name, fields }) =>
        `- ${name}: ${shorten(oneLine(fields.description), room).replaceAll(/<(?=\/?workspace_skills)/gi, "‹")}`,
    ),
    "</workspace_skills>",
    ...(rest > 0 ? [`- and ${rest} more: skill_list with query finds them`] : []),
  ].join("\n");
}
