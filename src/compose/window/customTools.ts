import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import type { Tool } from "../../core/contract.js";
import { Registry } from "../../core/registry.js";
import type { ApprovedFiles } from "../../features/custom/approvedFiles.js";
import { TOOLS_FILE } from "../../features/custom/entry.js";
import { secretsOf } from "../../features/custom/overview.js";
import { RegisteredTools } from "../../features/custom/registeredTools.js";
import { settingsAsTools } from "../../features/custom/settingsText.js";
import { approvalsIn } from "../../features/custom/services.js";
import { readToolFiles, versionOfToolFiles, type ToolFile } from "../../features/custom/toolFiles.js";
import { DEFAULT_MAX_TOOLS, readMaxTools } from "../../features/openapi/entry.js";
import { SECRET_VARIABLE } from "../../hosts/node/secrets/hostSecrets.js";
import { NodePrograms } from "../../hosts/node/programs.js";
import { keepUsersTools } from "../../hosts/node/state/usersTools.js";
import { NamedSecrets } from "../../hosts/vscode/namedSecrets.js";
import { trustsAll, userValue } from "../../hosts/vscode/userSettings.js";
import { usersSettingsFiles } from "../../hosts/vscode/usersSettingsFile.js";
import { TOOLS_COMMAND } from "../../names/contributed.js";
import { SETTING } from "../../names/settings.js";
import type { Files } from "../../ports/files.js";
import { tools as allTools } from "../../tools/index.js";
import { parseJsonc } from "../../text/jsonc.js";
import { plain } from "../../text/plainText.js";
import { messageOf } from "../../text/words.js";
import { toolSecretCommand } from "../../views/messages/commands.js";
import type { Commands } from "../../views/shared/commandTable.js";
import { approveTools, type ApproveHost } from "../../views/tools/approve.js";
import { ToolDiagnostics } from "../../views/tools/diagnostics.js";
import { lookEvery } from "../lookEvery.js";
import { openApiTools } from "../openApiTools.js";
import { addOwnTool } from "./addTool.js";
import type { WindowParts, WindowPipeline } from "./pipeline.js";

/** The settings that have the user's own tools. */
const USERS = [SETTING.tools, SETTING.openApiServices];

/** How often a window looks for changes of the files, in ms: on disk, and where each look may go over a network. */
const [LOOK, LOOK_ELSEWHERE] = [1_000, 20_000];

/** The user's own tools in a window. */
export interface CustomTools extends vscode.Disposable {
  commands: Commands;
  /** Whether a tool is one of them. */
  has: (tool: Tool) => boolean;
  /**
   * Keeps the user's tools of one folder in a registry, for callers that see it as if it were the only one.
   *
   * @param name the folder's name in the window
   */
  follow: (registry: Registry, files: Files, name: string) => vscode.Disposable;
}

/**
 * Keeps the tools of the user's setting, and of approved files of the workspace, in the registry. In an untrusted
 * workspace there are none.
 */
export function openCustomTools(
  {
    registry,
    files: { files },
    state: { state, changes },
    log,
  }: Pick<WindowParts, "registry" | "files" | "state" | "log">,
  { isTrusted, confirm, person, pipelineOf }: Pick<WindowPipeline, "isTrusted" | "confirm" | "person" | "pipelineOf">,
  { secrets: storage, globalStorageUri }: Pick<vscode.ExtensionContext, "secrets" | "globalStorageUri">,
): CustomTools {
  const secrets = new NamedSecrets(storage, "tool");
  const shipped = new Registry(allTools);
  const diagnostics = new ToolDiagnostics();
  const given = {
    secret: async (name: string) => {
      const value = await secrets.get(name);
      if (value !== undefined) {
        // The name that the command line gives it, so that its handle is the same there.
        state.addSecret(SECRET_VARIABLE + name, value);
      }
      return value;
    },
    secretAdvice: () => "The user can set it with the command “Toolhost: Set Tool Secret…”.",
  };
  const api = openApiTools({
    ...given,
    http: { trustsAll },
    maxTools: () => readMaxTools(userValue(SETTING.openApiMaxTools)) ?? DEFAULT_MAX_TOOLS,
  });
  const custom = {
    files,
    programs: new NodePrograms(() => process.env["PATH"] ?? ""),
    approved: () => state.states.toolFiles(),
    reserved: (name: string) => shipped.nameProblem(name) !== undefined,
    ours: (name: string) => shipped.get(name),
    users: () => users,
    ...given,
    api,
    approveBy: "Toolhost: Approve Tools…",
  };
  let users: UsersTools | undefined;
  const own = new RegisteredTools(
    registry,
    async () => {
      users = await usersTools(globalStorageUri);
      try {
        keepUsersTools(users?.text);
      } catch (error) {
        log.warn(`The command line does not get the tools of ${USERS.join(" and ")}: ${messageOf(error)}`);
      }
      return isTrusted() ? readToolFiles(custom) : [];
    },
    custom.approveBy,
  );
  const followers = new Set<RegisteredTools>();
  const failed = (error: unknown): void => log.warn(`${TOOLS_FILE}: ${messageOf(error)}`);
  const refresh = async (): Promise<readonly ToolFile[]> => {
    const read = await own.refresh();
    followers.forEach((each) => void each.refresh().catch(failed));
    const placed = await Promise.all(
      read.map(async (file) => ({ file, uri: isUsers(file) ? users?.uri : await files.addressOf(file.path) })),
    );
    diagnostics.show(placed.flatMap(({ file, uri }) => (uri === undefined ? [] : [{ file, uri }])));
    if (users?.uri === undefined) {
      read
        .filter(isUsers)
        .forEach(({ problems }) => problems.forEach(({ message }) => log.warn(`${USERS.join(" and ")}: ${message}`)));
    }
    return read;
  };
  const refreshSoon = (): void => void refresh().then((read) => offers.offer(read), failed);
  const host: ApproveHost = {
    ...{ isTrusted, confirm, refresh, api },
    ...{ approved: custom.approved, reserved: custom.reserved },
    note: (message) => log.info(message),
  };
  const offers = new ApprovalOffers(() => approveTools(host));
  let version: string | undefined;
  // VS Code's own watchers can miss a file in a folder that was just created; and the command line may approve a file.
  const stopLooking = lookEvery(
    vscode.workspace.workspaceFolders?.every(({ uri }) => uri.scheme === "file") === false ? LOOK_ELSEWHERE : LOOK,
    async () => {
      const now = await versionOfToolFiles(custom, own.files);
      if (now !== version) {
        version = now;
        offers.offer(await refresh());
      }
    },
    failed,
  );
  const listening = vscode.Disposable.from(
    diagnostics,
    vscode.workspace.onDidGrantWorkspaceTrust(refreshSoon),
    vscode.workspace.onDidChangeWorkspaceFolders(refreshSoon),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if ([...USERS, SETTING.openApiMaxTools].some((setting) => event.affectsConfiguration(setting))) {
        refreshSoon();
      }
    }),
    // What is above a problem may have become longer or shorter.
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (uri.toString() === users?.uri?.toString()) {
        refreshSoon();
      }
    }),
    // A command that was missing may be installed now.
    vscode.window.onDidChangeWindowState(({ focused }) => (focused ? refreshSoon() : undefined)),
  );
  return {
    commands: {
      [TOOLS_COMMAND.add]: () =>
        addOwnTool({
          ...{ registry, files, changes, isTrusted, confirm, person, pipelineOf, custom, refresh },
          review: () => approveTools(host),
        }),
      [TOOLS_COMMAND.approve]: () => approveTools(host),
      ...toolSecretCommand({
        names: () =>
          own.files.flatMap(({ entries, services }) => [
            ...[...entries, ...services].flatMap(({ entry }) => secretsOf(entry)),
          ]),
        get: (name) => secrets.get(name),
        set: (name, value) => secrets.set(name, value),
      }),
    },
    has: (tool) => own.has(tool),
    follow: (others, seen, name) => {
      const approved = async (): Promise<ApprovedFiles> => approvalsIn(await custom.approved(), name);
      const seenTools = { ...custom, files: seen, approved };
      const read = async (): Promise<ToolFile[]> => (isTrusted() ? readToolFiles(seenTools) : []);
      const follower = new RegisteredTools(others, read, custom.approveBy);
      followers.add(follower);
      void follower.refresh().catch(failed);
      return {
        dispose: () => {
          followers.delete(follower);
          follower.clear();
        },
      };
    },
    dispose: () => {
      stopLooking();
      listening.dispose();
      own.clear();
    },
  };
}

/** Offers to review a file or a description that waits for approval, once for each text. */
class ApprovalOffers {
  readonly #review: () => Promise<void>;
  readonly #offered = new Set<string>();

  constructor(review: () => Promise<void>) {
    this.#review = review;
  }

  offer(files: readonly ToolFile[]): void {
    for (const { path, text, isApproved, tools: found, lastApproved, services } of files) {
      if (isApproved) {
        services
          .filter((service) => !service.isApproved)
          .forEach((service) => this.#offerText(service.source, service.text ?? "", service.lastApproved));
      } else if (text !== undefined && found.length + services.length > 0) {
        this.#offerText(path, text, lastApproved);
      }
    }
  }

  #offerText(path: string, text: string, lastApproved: string | undefined): void {
    const key = `${path} ${text}`;
    if (this.#offered.has(key)) {
      return;
    }
    this.#offered.add(key);
    const what =
      lastApproved === undefined ? "has tools that you have not approved" : "has changed since you approved it";
    void vscode.window
      .showInformationMessage(plain(`${path} ${what}, so they do not run.`), "Review…")
      .then((pressed) => (pressed === undefined ? undefined : this.#review()));
  }
}

/** The tools and services in the user's own settings, as a file has them. */
interface UsersTools {
  path: string;
  text: string;
  /** The file of the settings, in which the text has the same lines and columns; undefined if it is not known. */
  uri?: vscode.Uri;
}

/** Reads the user's own settings: a workspace's settings decide nothing. */
async function usersTools(storage: vscode.Uri): Promise<UsersTools | undefined> {
  const [tools, openapi] = USERS.map(userValue);
  if (tools === undefined && openapi === undefined) {
    return undefined;
  }
  const path = SETTING.tools;
  const value = JSON.stringify({ tools, openapi });
  for await (const { uri, text: settings } of usersSettingsFiles(storage)) {
    const text = settingsAsTools(settings, { tools: SETTING.tools, openapi: SETTING.openApiServices });
    // VS Code may have other settings, from another file or not saved yet.
    if (text !== undefined && isDeepStrictEqual(parseJsonc(text), JSON.parse(value))) {
      return { path, text, uri };
    }
  }
  return { path, text: value };
}

function isUsers({ path }: ToolFile): boolean {
  return path === SETTING.tools;
}
