import * as vscode from "vscode";
import type { CallLog, CallTexts, LoggedCall, LoggedSession } from "../../features/activity/callLog.js";
import type { SessionLog } from "../../features/sessions/sessionLog.js";
import type { SessionSummary } from "../../ports/sessions.js";
import { oneLine, shorten } from "../../text/clip.js";
import { showHidden, visibleLine } from "../../text/showHidden.js";
import { messageOf } from "../../text/words.js";
import { l10n } from "../shared/l10n.js";
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
/** Why there are no calls to show. */
const NO_LOG = vscode.l10n.t(
  "The file that keeps calls cannot be opened now, so what agents did is not known. Toolhost tries again with the next call.",
);
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
  #sending: Promise<void> | undefined;
  #isStale = false;

  /** @param session the one to show; empty for all */
  constructor(host: ActivityHost, session: string) {
    this.#host = host;
    this.#session = session;
    this.#panel = vscode.window.createWebviewPanel(
      "toolhost.activity",
      vscode.l10n.t("Activity"),
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        enableFindWidget: true,
        localResourceRoots: [],
      },
    );
    this.#panel.iconPath = new vscode.ThemeIcon("pulse");
    this.#listening = vscode.Disposable.from(
      this.#panel.webview.onDidReceiveMessage((message: FromPage) => this.#onMessage(message)),
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
    this.#panel.webview.html = pageHtml({
      title: vscode.l10n.t("Activity"),
      script: await this.#program(),
      nonce: newNonce(),
      ...language(),
    });
  }

  async #program(): Promise<string> {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.#host.program));
  }

  #update(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#panel.visible) {
        this.#send();
      }
    }, SOON);
  }

  /** Sends what is shown now. One at a time: a slow answer must not come after that to a later choice. */
  #send(): void {
    if (this.#sending !== undefined) {
      this.#isStale = true;
      return;
    }
    this.#isStale = false;
    this.#sending = this.#sendNow()
      .catch(() => undefined)
      .then(() => {
        this.#sending = undefined;
        if (this.#isStale) {
          this.#send();
        }
      });
  }

  async #sendNow(): Promise<void> {
    const activity = await this.#read();
    this.#panel.title =
      this.#session === ""
        ? vscode.l10n.t("Activity")
        : vscode.l10n.t("Activity: {0}", shorten(activity.title, MAX_TITLE));
    await this.#post({ kind: "activity", activity });
  }

  async #post(message: ToPage): Promise<void> {
    await this.#panel.webview.postMessage(message);
  }

  #onMessage(message: FromPage): void {
    switch (message.kind) {
      case "ready":
        this.#send();
        break;
      case "choose":
        this.#session = message.session;
        this.#send();
        break;
      case "texts":
        void this.#sendTexts(message.seq);
        break;
      case "export":
        void this.#export(new Set(message.calls));
        break;
    }
  }

  async #sendTexts(seq: number): Promise<void> {
    const { texts } = await this.#logged((log) => ({ texts: log.texts(seq) }), { texts: undefined });
    await this.#post({ kind: "texts", seq, texts: texts && shownTexts(texts) });
  }

  /** Looks something up in the log. @returns what was found, and why it is not all */
  async #logged<Found extends object>(
    find: (log: CallLog) => Found,
    none: Found,
  ): Promise<Found & { problem?: string }> {
    try {
      const log = await this.#host.calls();
      return log === undefined ? { ...none, problem: NO_LOG } : find(log);
    } catch (error) {
      return { ...none, problem: vscode.l10n.t("The calls cannot be read now: {0}", messageOf(error)) };
    }
  }

  async #read(): Promise<ShownActivity> {
    const session = this.#session;
    const { calls, earlier, listed, problem } = await this.#logged<{
      calls: LoggedCall[];
      earlier: number;
      listed: LoggedSession[];
    }>(
      (log) => ({
        ...log.calls(session === "" ? undefined : session, MAX_CALLS),
        listed: log.sessions(MAX_SESSIONS),
      }),
      { calls: [], earlier: 0, listed: [] },
    );
    const known = await this.#titles();
    const requests = new Map<string, string | undefined>();
    for (const { root, turn } of calls) {
      const key = JSON.stringify([root, turn]);
      if (!requests.has(key)) {
        requests.set(key, await this.#host.requestOf(root, turn).catch(() => undefined));
      }
    }
    const now = this.#host.now();
    const titleOf = (id: string): string | undefined => known.get(id)?.title;
    const sessions = listed.map((each) => ({ id: each.id, title: sessionTitle(each, titleOf(each.id), now) }));
    return {
      title:
        session === ""
          ? vscode.l10n.t("All Sessions")
          : (sessions.find(({ id }) => id === session)?.title ?? titleOf(session) ?? ""),
      ...{ sessions, session, earlier },
      ...(problem === undefined ? {} : { problem }),
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

  /** @param chosen the keys of the calls to export */
  async #export(chosen: ReadonlySet<number>): Promise<void> {
    const to = await vscode.window.showSaveDialog({
      title: vscode.l10n.t("Export Activity"),
      saveLabel: vscode.l10n.t("Export"),
      filters: { "Web Page": ["html"], JSON: ["json"] },
      ...defaultPlace(),
    });
    if (to === undefined) {
      return;
    }
    try {
      const exported = await this.#exported(chosen);
      const text = to.path.toLowerCase().endsWith(".json")
        ? `${JSON.stringify(exported, undefined, 2)}\n`
        : pageHtml({
            title: exported.title,
            script: await this.#program(),
            nonce: newNonce(),
            exported,
            ...language(),
          });
      await vscode.workspace.fs.writeFile(to, new TextEncoder().encode(text));
    } catch (error) {
      void vscode.window.showErrorMessage(vscode.l10n.t("The activity was not exported: {0}", String(error)));
      return;
    }
    const open = vscode.l10n.t("Open File");
    const pressed = await vscode.window.showInformationMessage(vscode.l10n.t("The activity was exported."), open);
    await (pressed && vscode.commands.executeCommand("vscode.open", to));
  }

  async #exported(chosen: ReadonlySet<number>): Promise<ExportedActivity> {
    const activity = await this.#read();
    const calls = activity.calls.filter(({ seq }) => chosen.has(seq));
    const log = await this.#host.calls();
    let left = MAX_EXPORTED;
    const texts: Record<string, ShownTexts> = {};
    // The latest first, should there not be room for all.
    for (const { seq } of calls.toReversed()) {
      const found = log?.texts(seq);
      left -= (found?.input.length ?? 0) + (found?.result?.length ?? 0);
      if (left < 0) {
        break;
      }
      if (found !== undefined) {
        texts[seq] = shownTexts(found);
      }
    }
    return { ...activity, calls, sessions: [], exported: new Date(this.#host.now()).toISOString(), texts };
  }
}

function sessionTitle({ door, calls, at }: LoggedSession, title: string | undefined, now: number): string {
  const name = visibleLine(shorten(oneLine(title ?? doorName(door)), MAX_TITLE));
  return `${name} (${l10n.many(calls, "{0} call", "{0} calls")}, ${clockTime(at, now)})`;
}

/** Returns texts as people read them: the input's JSON in lines unless it was cut, and hidden characters as escapes. */
function shownTexts({ input, result }: CallTexts): ShownTexts {
  let lines = input;
  try {
    lines = JSON.stringify(JSON.parse(input), undefined, 2);
  } catch {
    // It is shown as it is.
  }
  const seen = (text: string): string => showHidden(text, true).text;
  return { input: seen(lines), ...(result === undefined ? {} : { result: seen(result) }) };
}

function defaultPlace(): { defaultUri?: vscode.Uri } {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder.uri, "activity.html") };
}

/** Returns the language of VS Code, and our texts in it if there are any. */
function language(): { language: string; translations?: Record<string, string> } {
  const { bundle } = vscode.l10n;
  return { language: bundle === undefined ? "en" : vscode.env.language, ...(bundle && { translations: bundle }) };
}

function newNonce(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
