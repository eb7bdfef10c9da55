// A window of VS Code as `toolhost mcp` meets it: its server in this process, on the real pipeline.
import { expect, onTestFinished } from "vitest";
import type { Answer } from "../../../src/ports/confirm.js";
import type { Person } from "../../../src/ports/person.js";
import { Registry } from "../../../src/core/registry.js";
import { PipelineTools } from "../../../src/doors/mcp/pipelineTools.js";
import { findWindow } from "../../../src/doors/mcp/window/windowNotes.js";
import { WindowServer } from "../../../src/doors/mcp/window/windowServer.js";
import { livenessOf, thisProcess } from "../../../src/hosts/node/state/owner.js";
import { makeWindowNotes } from "../../../src/hosts/node/state/stateFolder.js";
import { tools } from "../../../src/tools/index.js";
import { poll } from "../../harness/poll.js";
import { openWorkspace, type FileTree, type TestWorkspace } from "../../unit/tools/workspace.js";

/** The user of a window. */
export interface WindowUser {
  /** What they say to questions about calls, by the question's title. Default: yes, once. */
  answer?: (title: string) => Answer;
  /** Answers the questions of models. */
  person?: Person;
}

export interface TestWindow extends TestWorkspace {
  /** The titles of the questions that the window asked. */
  titles: string[];
  server: WindowServer;
}

/** Opens a folder in a window. */
export async function openWindow(files: FileTree = { "a.txt": "one\n" }, user?: WindowUser): Promise<TestWindow> {
  const workspace = await openWorkspace(files, { rules: [] });
  const titles: string[] = [];
  const server = await serveWindow(workspace, titles, user);
  return { ...workspace, titles, server };
}

/** Opens the window of a workspace, until the test ends. Resolves when clients can find it. */
export async function serveWindow(
  { folder, pipeline, changes }: Pick<TestWorkspace, "folder" | "pipeline" | "changes">,
  titles: string[] = [],
  { answer = () => "once", person }: WindowUser = {},
): Promise<WindowServer> {
  const server = new WindowServer(
    {
      notes: makeWindowNotes(),
      owner: thisProcess(),
      folders: () => new Map([[folder, ""]]),
      open: ({ planOnly, sendsData, served }, session) =>
        new PipelineTools({
          ...{ folder, pipeline, registry: new Registry(tools), results: undefined, planOnly, sendsData, session },
          ...{ shipped: tools, isServed: ({ name }) => served.includes(name), ...(person && { person }) },
          release: (each) => changes.release(each),
          confirm: {
            ask: async ({ title }) => {
              titles.push(title);
              return answer(title);
            },
          },
        }),
    },
    (problem) => expect.unreachable(problem),
  );
  onTestFinished(() => server.dispose());
  await poll("the window's note", () => findWindow(makeWindowNotes(), folder, livenessOf, server.id));
  return server;
}

/** The calls that came to a window, each with its client. */
export const doors = ({ activity }: TestWorkspace): string[] =>
  activity.entries().map(({ door, tool }) => `${door} ${tool}`);
