import * as vscode from "vscode";
import { directCaller } from "../../agent/directCaller.js";
import { patientConfirm } from "../../agent/work/patientConfirm.js";
import { ChangedTurns } from "../../doors/chat/changedTurns.js";
import { LostTurns } from "../../doors/chat/lostTurns.js";
import { registerParticipant } from "../../doors/chat/participant.js";
import { noteInSession } from "../../doors/chat/sessionNotes.js";
import { PendingCalls } from "../../doors/shared/pendingCalls.js";
import { registerLmTools } from "../../doors/lm/register.js";
import { registerPalette } from "../../doors/palette/commands.js";
import { ResultView } from "../../doors/palette/resultView.js";
import { registerPermission } from "../../views/permission/commands.js";
import { createOffers } from "../../views/permission/offerNotice.js";
import { asMessages } from "../../views/undo/chat.js";
import { registerUndo } from "../../views/undo/commands.js";
import { ReviewView } from "../../views/undo/review.js";
import { StandingChanges } from "../../views/undo/standing.js";
import { registerWork } from "../../views/work/work.js";
import { agentModelSetting } from "../../hosts/vscode/models/modelServers.js";
import { changeSettings, readSettings, turnOffOffers } from "../../hosts/vscode/settings.js";
import type { WindowModels } from "./models.js";
import type { WindowParts, WindowPipeline } from "./pipeline.js";

export interface DoorsParts extends Omit<WindowParts, "models"> {
  context: vscode.ExtensionContext;
  models: WindowModels;
  pipeline: WindowPipeline;
}

/** Opens every way in which a person or a model calls the tools of a window, and undoes what they did. */
export function openDoors({
  context,
  registry,
  files: { files },
  state,
  models,
  pipeline: shared,
  log,
}: DoorsParts): vscode.Disposable {
  const { pipeline, agents, confirm, activity, rules, settingsRules, approvals, isTrusted, hasMemory } = shared;
  const { changes, state: kept } = state;
  const tools = registry.list();
  const addressOf = (path: string): Promise<vscode.Uri | undefined> => files.addressOf(path);
  const results = new ResultView(addressOf);
  const review = new ReviewView(changes);
  const pending = new PendingCalls();
  const standing = new StandingChanges(changes, context.workspaceState);
  const undo = { changes, files, activity, isTrusted, now: Date.now, onUndone: () => void standing.refresh() };
  const offers = createOffers({ rules, isOn: () => changeSettings().offerRules, turnOff: turnOffOffers });
  const unattended = directCaller({ pipeline, door: "api", confirm: patientConfirm(confirm) });
  return vscode.Disposable.from(
    ...[results, review, standing],
    registerLmTools({ pipeline, tools, pending, tokens: shared.tokens, confirm, offers }),
    registerPalette({ pipeline, tools, confirm, results }),
    registerPermission({
      ...{ pipeline, tools, rules, activity, settings: readSettings, now: Date.now },
      change: (work) => settingsRules.change(work),
    }),
    registerUndo({
      ...{ ...undo, review },
      onDone: (session, done, direction) =>
        void noteInSession(kept.sessionLog, session, asMessages(done, "(pressed a button)", direction)),
    }),
    registerParticipant({
      ...{ ...undo, pipeline, pending, confirm, agents, standing, hasMemory, addressOf },
      log: kept.sessionLog,
      lost: new LostTurns(context.workspaceState),
      changedTurns: new ChangedTurns(context.workspaceState),
      undo: { ...undo, addressOf },
      pathOf: (uri) => files.pathOf(uri),
      icon: vscode.Uri.joinPath(context.extensionUri, "media", "icon.png"),
      onModel: models.keep,
      asModel: (model) => models.models.asModel(model),
      modelsByHand: shared.chatModels,
    }),
    registerWork({
      ...{ files, changes, agents, approvals, confirm, models: models.models, isTrusted, addressOf, now: Date.now },
      work: () => kept.states.work(),
      log: kept.sessionLog,
      tools: () => pipeline.available(),
      callTool: (call) => unattended(call),
      chosenModel: agentModelSetting,
      hasSchedules: () => files.roots().length > 0 && readSettings().isGroupEnabled("automation"),
      note: (message) => log.info(message),
    }),
  );
}
