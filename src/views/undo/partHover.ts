import { CHANGE_AT_CURSOR, UNDO_COMMAND } from "../../names/contributed.js";
import { clipStart } from "../../text/clip.js";
import { codeFence, escapeMarkdown } from "../../text/fence.js";
import { showHidden } from "../../text/showHidden.js";
import { l10n } from "../shared/l10n.js";
import { clockTime, doorName } from "../shared/words.js";
import type { PlacedPart } from "./openParts.js";

/** Maximum characters of old text in a hover. */
const MAX_WAS = 2_000;

/** The only commands that links of a hover may run. */
export const HOVER_COMMANDS = [CHANGE_AT_CURSOR.undo.command, CHANGE_AT_CURSOR.keep.command, UNDO_COMMAND.review];

/**
 * Says as Markdown what changed lines were before and who changed them, with links to undo, keep and review. The old text
 * is in a fence that it cannot leave, so all links are ours.
 */
export function hoverMarkdown(
  part: PlacedPart,
  { uri, languageId }: { uri: string; languageId: string },
  now: number,
): string {
  const { key, lines: own, removed, was, turn } = part;
  const all = was.join("");
  const shown = clipStart(all, MAX_WAS);
  const isCut = removed > was.length || shown.length < all.length;
  const who = escapeMarkdown(whoAndTime(part, now));
  const link = (title: string, command: string, argument: object): string =>
    `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
  const meant = { uri, parts: [key] };
  return [
    removed === 0
      ? l10n.t("Added by {0}", who)
      : own.start < own.end
        ? l10n.t("Changed by {0}. Was:", who)
        : l10n.t("Deleted here by {0}:", who),
    ...(removed === 0 ? [] : [codeFence(showHidden(shown.replace(/\r?\n$/, ""), true).text, languageId)]),
    ...(isCut ? [l10n.t("and more: see *Review*")] : []),
    [
      link(l10n.t("Undo"), CHANGE_AT_CURSOR.undo.command, meant),
      link(l10n.t("Keep"), CHANGE_AT_CURSOR.keep.command, meant),
      link(l10n.t("Review"), UNDO_COMMAND.review, { session: turn.turn.session, turn: turn.turn.turn }),
    ].join(" · "),
  ].join("\n\n");
}

/** Returns who made a part of a change, and at what time: a hover stays open. */
export function whoAndTime({ turn: { turn } }: Pick<PlacedPart, "turn">, now: number): string {
  return `${doorName(turn.door)}, ${clockTime(turn.at, now)}`;
}
