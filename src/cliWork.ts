import { patientConfirm } from "./agent/work/patientConfirm.js";
import type { WorkHost } from "./agent/work/workHost.js";
import type { AgentWiring } from "./compose/cli/agents.js";
import { wireWithCopies } from "./compose/cli/copies.js";
import { USER_AGENT } from "./compose/userAgent.js";
import { followOwnTools, type OwnTools } from "./compose/cli/ownTools.js";
import { cliApprovals, openWorkspace, type CliPlace } from "./compose/cli/workspace.js";
import { Registry } from "./core/registry.js";
import { EXIT } from "./doors/cli/exitCode.js";
import { approveByName, doWork } from "./doors/cli/doWork.js";
import { tellFailure } from "./doors/cli/tellFailure.js";
import { TerminalQuestion } from "./doors/cli/terminalQuestion.js";
import { Unattended } from "./doors/cli/unattended.js";
import type { WorkRequest } from "./doors/cli/work.js";
import { WorkView } from "./doors/cli/workView.js";
import { openLineTerminal } from "./hosts/node/lineTerminal.js";
import { EnvironmentModels } from "./hosts/openai/environment.js";
import { tools } from "./tools/index.js";

/**
 * Does a folder's tasks and runs its schedules, with an agent's tools and those that end a task, until the process is
 * stopped.
 *
 * @returns the exit code
 * @throws Error if the folder does not exist
 */
export async function runWork(place: CliPlace, request: WorkRequest, signal: AbortSignal): Promise<number> {
  const workspace = openWorkspace(place);
  const { files, state, changes } = workspace;
  const out = (text: string): void => void process.stdout.write(text);
  const view = new WorkView({ json: request.json, out, err: (text) => void process.stderr.write(text) });
  const terminal = openLineTerminal();
  const question = terminal && new TerminalQuestion(terminal, (isAsking) => view.hold(isAsking));
  const approvals = cliApprovals(workspace, false);
  let own: OwnTools | undefined;
  try {
    if (request.approve.length > 0) {
      return await approveByName(request.approve, { files, approvals, question, out, signal });
    }
    const models = new EnvironmentModels(request, process.env, USER_AGENT);
    // Find the model first: without one, take nothing.
    await models.find(undefined, signal);
    const confirm = question === undefined ? new Unattended() : patientConfirm(question);
    const registry = new Registry(tools);
    own = await followOwnTools(registry, workspace, place.warn);
    const { allowAll, rules } = request;
    const wiring: AgentWiring = { registry, workspace, own, models, confirm, rules, planOnly: false, allowAll };
    const { agents, pipeline, callTool, copies, prepare } = wireWithCopies(place, wiring);
    if (request.inCopies) {
      await prepare();
    }
    const host: WorkHost = {
      ...{ files, changes, agents, callTool, door: "cli", now: Date.now },
      place: `toolhost work (process ${process.pid})`,
      work: () => state.states.work(),
      log: state.sessionLog,
      tools: () => pipeline.available(),
      model: (id, stop) => models.find(id, stop),
      isTrusted: () => true,
      onEvent: (event) => view.onEvent(event),
      copies,
      isInCopies: request.inCopies,
    };
    return await doWork(host, { view, approvals, question, ...request }, signal);
  } catch (error) {
    if (signal.aborted) {
      return EXIT.cancelled;
    }
    place.warn(tellFailure(error));
    return EXIT.toolError;
  } finally {
    own?.dispose();
    await workspace.close();
  }
}
