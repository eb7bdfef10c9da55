import * as vscode from "vscode";
import { newId } from "../../core/pipeline/pipeline.js";
import { Cancelled, ToolError } from "../../core/errors.js";
import { failure } from "../../core/outcome.js";
import { Registry } from "../../core/registry.js";
import { withProgress } from "../../doors/palette/commands.js";
import type { Added, AddTarget, Draft } from "../../features/custom/add/addTool.js";
import { TOOLS_FILE, type Entry } from "../../features/custom/entry.js";
import { secretsOf } from "../../features/custom/overview.js";
import { readTools } from "../../features/custom/readTools.js";
import type { ApiLoader } from "../../features/custom/services.js";
import { parseToolFile, type ToolFile, type ToolFilesHost } from "../../features/custom/toolFiles.js";
import { userValue } from "../../hosts/vscode/userSettings.js";
import { TOOLS_COMMAND } from "../../names/contributed.js";
import { SETTING } from "../../names/settings.js";
import { plain } from "../../text/plainText.js";
import { messageOf } from "../../text/words.js";
import { tools } from "../../tools/index.js";
import type { AddToolView } from "../../views/tools/addTool.js";
import type { WindowParts, WindowPipeline } from "./pipeline.js";

/** What adding a tool in a window needs. */
export interface AddToolHost
  extends Pick<WindowParts, "registry">, Pick<WindowPipeline, "isTrusted" | "confirm" | "person" | "pipelineOf"> {
  files: WindowParts["files"]["files"];
  changes: WindowParts["state"]["changes"];
  custom: ToolFilesHost & { api: ApiLoader };
  /** Reads the files as they are now. */
  refresh: () => Promise<readonly ToolFile[]>;
  review: () => Promise<void>;
}

/** The answers of somebody who left: *Toolhost: Add Tool…* goes on there until the window closes. */
let kept: Draft | undefined;

/** *Toolhost: Add Tool…* */
export async function addOwnTool(host: AddToolHost): Promise<void> {
  const draft = await chooseDraft();
  if (draft === undefined) {
    return;
  }
  const questions = await import("../../views/tools/addTool.js");
  const view = new questions.AddToolView();
  try {
    if (!host.isTrusted()) {
      throw new ToolError("untrusted", "In Restricted Mode no tool can be added: its trial would run a command.");
    }
    const added = await add(host, view, draft);
    kept = undefined;
    view.dispose();
    await show(added, host);
  } catch (error) {
    view.dispose();
    keep(draft);
    if (view.left.signal.aborted) {
      offerToContinue(draft, host);
      return;
    }
    const { message, hint } = error instanceof ToolError ? error : { message: messageOf(error), hint: undefined };
    void vscode.window.showErrorMessage(plain(hint === undefined ? message : `${message} ${hint}`));
  }
}

/** @throws the signal's reason if the person left */
async function add(host: AddToolHost, view: AddToolView, draft: Draft): Promise<Added> {
  const { addTool, openTarget, saveEntry } = await import("../addTool.js");
  const { files, changes, custom, registry, pipelineOf, confirm, person } = host;
  const { reserved, ours, approved, api } = custom;
  const read = (text: string): ReturnType<typeof readTools> => readTools(text, { reserved, ours });
  const there = await host.refresh();
  const roots = files.roots().filter(({ beside }) => beside !== true);
  const targets: AddTarget[] = roots.map((root) => {
    const folder = roots.length === 1 ? "." : root.name;
    const path = folder === "." ? TOOLS_FILE : `${folder}/${TOOLS_FILE}`;
    return {
      ...{ value: path, label: path, description: "for everybody who works in this folder" },
      ...{ lists: ["tools", "openapi"], folder },
      save: async (made, signal) => {
        const session = newId();
        const origin = {
          ...{ session, turn: session, callId: newId(), tool: "add tool", door: "palette" as const },
          ...{ summary: `Add a tool to ${path}`, reads: "free" as const },
        };
        const parts = { changes: changes.forCall(origin, files).changes, read, approved: await approved() };
        return saveEntry(parts, await openTarget(files, path), made, signal);
      },
    };
  });
  targets.push({
    ...{ value: SETTING.tools, label: "Your Settings", description: "for you, in every folder" },
    ...{ lists: ["tools"], folder: "." },
    save: async ({ entry }) => {
      const now = userValue(SETTING.tools);
      if (now !== undefined && !Array.isArray(now)) {
        throw new ToolError("conflict", `${SETTING.tools} is not a list. Nothing was added.`, "Correct your settings.");
      }
      await vscode.workspace
        .getConfiguration()
        .update(SETTING.tools, [...((now as unknown[] | undefined) ?? []), entry], vscode.ConfigurationTarget.Global);
      return { path: SETTING.tools, offset: 0, length: 0, isApproved: true };
    },
  });
  const added = await addTool(
    {
      ...{ targets, ours: tools, read, reserved, files, approved, api },
      owner: (name) =>
        there.find(
          (file) => file.tools.some((tool) => tool.name === name) || file.problems.some(({ tool }) => tool === name),
        )?.path ?? (registry.get(name) !== undefined && !reserved(name) ? "An extension" : undefined),
      ask: (question, step) => view.ask(question, step),
      attempt: async ({ entry }, { folder, value }, input, signal) => {
        view.hide();
        const root = roots.find(({ name }) => name === folder) ?? roots[0];
        if (root === undefined) {
          throw new ToolError("unavailable", "Without a folder there is nowhere to try it.", "Open a folder.");
        }
        const text = JSON.stringify({ tools: [entry] });
        const parsed = await parseToolFile(custom, { path: value, text }, root, folder);
        const [tool] = parsed.tools;
        if (tool === undefined) {
          throw new ToolError("invalid_input", parsed.problems.map(({ message }) => message).join(" "));
        }
        const outcome = await withProgress(`Trying ${tool.name}`, (stopped) =>
          pipelineOf(new Registry([tool])).invoke(tool.name, input, {
            ...{ door: "palette", session: newId(), authority: "model", typed: true, confirm, person },
            signal: AbortSignal.any([signal, stopped]),
          }),
        );
        return outcome ?? failure(tool.name, new Cancelled(tool.name));
      },
    },
    { answers: {}, sample: undefined, isAlone: false, isKept: false },
    view.left.signal,
    draft,
  );
  if (added === undefined) {
    view.left.abort();
    view.left.signal.throwIfAborted();
    throw new Error("left");
  }
  return added;
}

/** Opens the file at the new entry, and says what is left to do. */
async function show({ made, saved }: Added, host: AddToolHost): Promise<void> {
  await host.refresh();
  const { path, offset, length, isApproved } = saved;
  const uri = path === SETTING.tools ? undefined : await host.files.addressOf(path);
  if (uri === undefined) {
    await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
      revealSetting: { key: SETTING.tools },
    });
  } else {
    const document = await vscode.workspace.openTextDocument(uri);
    const selection = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    await vscode.window.showTextDocument(document, { selection });
  }
  const name = String(made.list === "tools" ? made.entry["name"] : made.entry["spec"]);
  const [secret] = secretsOf(made.entry as Entry);
  const isUsers = path === SETTING.tools;
  const [message, button, next] = !isApproved
    ? [
        `${name} is added. You have not approved other parts of ${path}, so it does not run yet.`,
        "Review…",
        host.review,
      ]
    : [
        `${name} is added${isUsers ? " to your settings" : ` to ${path}, which is approved with it`}.${secret === undefined ? "" : ` It needs the secret ${secret}.`}`,
        ...(secret === undefined
          ? []
          : ["Set Secret…", async () => vscode.commands.executeCommand(TOOLS_COMMAND.setSecret)]),
      ];
  const buttons = typeof button === "string" ? [button] : [];
  void vscode.window
    .showInformationMessage(plain(String(message)), ...buttons)
    .then((pressed) => (pressed !== undefined && typeof next === "function" ? next() : undefined));
}

function keep(draft: Draft): void {
  // One answer is not worth going on with.
  kept = Object.keys(draft.answers).length > 2 ? draft : undefined;
}

function offerToContinue(draft: Draft, host: AddToolHost): void {
  if (kept === undefined) {
    return;
  }
  void vscode.window
    .showInformationMessage(
      plain(`${nameOf(draft)} was not added. Your answers are kept until the window closes.`),
      "Continue",
    )
    .then((pressed) => (pressed === undefined ? undefined : addOwnTool(host)));
}

/** @returns undefined if the person left */
async function chooseDraft(): Promise<Draft | undefined> {
  const fresh = { answers: {}, at: undefined };
  const draft = kept;
  if (draft === undefined) {
    return fresh;
  }
  const items = [
    { label: `Continue with ${nameOf(draft)}`, description: "where you left", draft },
    { label: "Start Over", description: "the answers so far are lost", draft: fresh },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: "Add Tool",
    placeHolder: "You were adding a tool.",
  });
  return picked?.draft;
}

function nameOf({ answers }: Draft): string {
  return plain(answers["name"] ?? answers["spec"] ?? "The tool");
}
