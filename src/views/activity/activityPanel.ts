import * as vscode from "vscode";
import type { CallLog, CallTexts, LoggedSession } from "../../features/activity/callLog.js";
import type { SessionLog } from "../../features/sessions/sessionLog.js";
import type { SessionSummary } from "../../ports/sessions.js";
import { oneLine, shorten } from "../../text/clip.js";
import { count } from "../../text/words.js";
import { clockTime, doorName } from "../shared/words.js";
import { pageHtml } from "./pageHtml.js";
import type { ExportedActivity, FromPage, ShownActivity, ShownTexts, ToPage } from "./protocol.js";
import { arrange } from "./snapshot.js";

/** Maximum number of calls on the page, and of sessions to choose from. */
const MAX_CALLS = 1_000;
const MAX_SESSIONS = 50;
/** Number of sessions whose titles are read. */
const TITLES = 500;
const MAX_TITLE = 60;
/** How long after calls are logged the page is brought up to date, in ms. */
const SOON = 150;
/** Maximum characters of texts in an exported file. */
const MAX_EXPORTED = 20_000_000;

export interface ActivityHost {
  /** Undefined if calls cannot be logged. */
  calls(): Promise<CallLog | undefined>;
  sessions(): Promise<SessionLog>;
  /** Returns what was asked for in a turn; undefined if it is not known. */
  requestOf(session: string, turn: string): Promise<string | undefined>;
  /** The file of the page's program. */
  program: vscode.Uri;
  onDidLogCalls: vscode.Event<void>;
  now(): number;
}

/** The page that shows what agents do and did: one for the window. */
export class ActivityPanel implements vscode.Disposable {
  readonly #host: ActivityHost;
  readonly #panel: vscode.WebviewPanel;
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly #listening: vscode.Disposable;
  #session: string;
  #timer: NodeJS.Timeout | undefined;

  /** @param session the one to show; empty for all */
  constructor(host: ActivityHost, session: string) {
    this.#host = host;
    this.#session = session;
    this.#panel = vscode.window.createWebviewPanel("toolhost.activity", "Activity", vscode.ViewColumn.Active, {
      enableScripts: true,
      enableFindWidget: true,
      localResourceRoots: [],
    });
    this.#panel.iconPath = new vscode.ThemeIcon("pulse");
    this.#listening = vscode.Disposable.from(
      this.#panel.webview.onDidReceiveMessage((message: FromPage) => void this.#onMessage(message)),
      this.#panel.onDidChangeViewState(() => this.#update()),
      this.#panel.onDidDispose(() => this.dispose()),
      host.onDidLogCalls(() => this.#update()),
    );
    void this.#load();
  }

  /** Brings the page to the front. */
  show(session: string): void {
    this.#session = session;
    this.#panel.reveal();
    this.#update();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
    this.#panel.dispose();
    this.#disposed.fire();
    this.#disposed.dispose();
  }

  async #load(): Promise<void> {
    this.#panel.webview.html = pageHtml({ title: "Activity", script: await this.#program(), nonce: newNonce() });
  }

  async #program(): Promise<string> {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#host.program));
  }

  #update(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#panel.visible) {
        void this.#send();
      }
    }, SOON);
  }

  async #send(): Promise<void> {
    const activity = await this.#read();
    this.#panel.title = this.#session === "" ? "Activity" : `Activity: ${shorten(activity.title, MAX_TITLE)}`;
    await this.#post({ kind: "activity", activity });
  }

  async #post(message: ToPage): Promise<void> {
    await this.#panel.webview.postMessage(message);
  }

  async #onMessage(message: FromPage): Promise<void> {
    switch (message.kind) {
      case "ready":
        return this.#send();
      case "choose":
        this.#session = String(message.session);
        return this.#send();
      case "texts": {
        const texts = (await this.#host.calls())?.texts(Number(message.seq));
        return this.#post({ kind: "texts", seq: message.seq, texts: texts && shownTexts(texts) });
      }
      case "export":
        return this.#export();
    }
  }

  async #read(): Promise<ShownActivity> {
    const log = await this.#host.calls();
    const session = this.#session;
    const { calls, earlier } = log?.calls(session === "" ? undefined : session, MAX_CALLS) ?? { calls: [], earlier: 0 };
    const known = await this.#titles();
    const requests = new Map<string, string | undefined>();
    for (const { root, turn } of calls) {
      const key = JSON.stringify([root, turn]);
      if (!requests.has(key)) {
        requests.set(key, await this.#host.requestOf(root, turn).catch(() => undefined));
      }
    }
    const now = this.#host.now();
    const listed = log?.sessions(MAX_SESSIONS) ?? [];
    const titleOf = (id: string): string | undefined => known.get(id)?.title;
    const sessions = listed.map((each) => ({ id: each.id, title: sessionTitle(each, titleOf(each.id), now) }));
    return {
      title:
        session === "" ? "All Sessions" : (sessions.find(({ id }) => id === session)?.title ?? titleOf(session) ?? ""),
      ...{ sessions, session, earlier },
      ...arrange(calls, { titleOf, requestOf: (root, turn) => requests.get(JSON.stringify([root, turn])) }, now),
    };
  }

  /** Returns our agents' sessions. Without them, the page is still right. */
  async #titles(): Promise<Map<string, SessionSummary>> {
    try {
      const { sessions } = await (await this.#host.sessions()).list(TITLES);
      return new Map(sessions.map((each) => [each.id, each]));
    } catch {
      return new Map();
    }
  }

  async #export(): Promise<void> {
    const to = await vscode.window.showSaveDialog({
      title: "Export Activity",
      saveLabel: "Export",
      filters: { "Web Page": ["html"], JSON: ["json"] },
      ...defaultPlace(),
    });
    if (to === undefined) {
      return;
    }
    try {
      const exported = await this.#exported();
      const text = to.path.toLowerCase().endsWith(".json")
        ? `${JSON.stringify(exported, undefined, 2)}\n`
        : pageHtml({ title: exported.title, script: await this.#program(), nonce: newNonce(), exported });
      await vscode.workspace.fs.writeFile(to, new TextEncoder().encode(text));
    } catch (error) {
      void vscode.window.showErrorMessage(`The activity was not exported: ${String(error)}`);
      return;
    }
    const open = "Open File";
    const pressed = await vscode.window.showInformationMessage("The activity was exported.", open);
    await (pressed && vscode.commands.executeCommand("vscode.open", to));
  }

  async #exported(): Promise<ExportedActivity> {
    const activity = await this.#read();
    const log = await this.#host.calls();
    let left = MAX_EXPORTED;
    const texts: Record<string, ShownTexts> = {};
    // The latest first, should there not be room for all.
    for (const { seq } of activity.calls.toReversed()) {
      const found = log?.texts(seq);
      left -= (found?.input.length ?? 0) + (found?.result?.length ?? 0);
      if (found === undefined || left < 0) {
        break;
      }
      texts[seq] = shownTexts(found);
    }
    return { ...activity, sessions: [], exported: new Date(this.#host.now()).toISOString(), texts };
  }
}

function sessionTitle({ door, calls, at }: LoggedSession, title: string | undefined, now: number): string {
  const name = shorten(oneLine(title ?? doorName(door)), MAX_TITLE);
  return `${name} (${count(calls, "call")}, ${clockTime(at, now)})`;
}

/** Returns texts as people read them: the input's JSON in lines, unless it was cut. */
function shownTexts({ input, result }: CallTexts): ShownTexts {
  let lines = input;
  try {
    lines = JSON.stringify(JSON.parse(input), undefined, 2);
  } catch {
    // It is shown as it is.
  }
  return { input: lines, ...(result === undefined ? {} : { result }) };
}

function defaultPlace(): { defaultUri?: vscode.Uri } {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder.uri, "activity.html") };
}

function newNonce(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
