import { agentTools } from "./agent/toolSets.js";
import { wireAgents } from "./compose/cli/agents.js";
import { wireWithCopies } from "./compose/cli/copies.js";
import { USER_AGENT } from "./compose/userAgent.js";
import { followOwnTools, type OwnTools } from "./compose/cli/ownTools.js";
import { openWorkspace, type CliPlace } from "./compose/cli/workspace.js";
import { ToolError } from "./core/errors.js";
import { newId } from "./core/pipeline/pipeline.js";
import { Registry } from "./core/registry.js";
import type { SessionLog } from "./features/sessions/sessionLog.js";
import type { AgentRequest } from "./doors/cli/agent.js";
import { AgentView } from "./doors/cli/agentView.js";
import { EXIT } from "./doors/cli/exitCode.js";
import { tellFailure } from "./doors/cli/tellFailure.js";
import { TerminalQuestion } from "./doors/cli/terminalQuestion.js";
import { Unattended } from "./doors/cli/unattended.js";
import { openLineTerminal } from "./hosts/node/lineTerminal.js";
import { EnvironmentModels } from "./hosts/openai/environment.js";
import { tools } from "./tools/index.js";

/** Number of sessions to search for the command line's latest one. */
const MAX_LOOKED = 200;

/** Instructions for the model about its environment. */
const INSTRUCTIONS = [
  "You run on a command line: the user sees your answer as plain text. Background processes end with this turn.",
];
const PLAN = "Only look in this turn: calls that would change anything are refused. Say what you would do, as a plan.";

/**
 * Runs one turn of an agent in the folder of a command line and shows it.
 *
 * @returns the exit code
 * @throws Error if the folder does not exist
 */
export async function runAgent(place: CliPlace, request: AgentRequest, signal: AbortSignal): Promise<number> {
  const registry = new Registry(tools);
  const workspace = openWorkspace(place);
  let own: OwnTools | undefined;
  try {
    own = await followOwnTools(registry, workspace, place.warn);
    const models = new EnvironmentModels(request, process.env, USER_AGENT);
    const session = await findSession(await workspace.state.sessionLog(), request);
    const model = await models.find(undefined, signal);
    const view = new AgentView({
      ...{
        json: request.json,
        session,
        workspace: place.target.workspace,
        sandbox: place.elsewhere?.address,
        toolOf: (name) => registry.get(name),
      },
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
      isTerminal: process.stdout.isTTY,
      sharesTerminal: process.stdout.isTTY && process.stderr.isTTY,
    });
    const terminal = openLineTerminal();
    const person = terminal && new TerminalQuestion(terminal, (isAsking) => view.hold(isAsking));
    const confirm = person ?? new Unattended();
    const { rules, planOnly, allowAll, isSent } = request;
    const wiring = { registry, workspace, own, models, confirm, person, rules, planOnly, allowAll };
    const wired = place.elsewhere === undefined ? wireWithCopies(place, wiring) : wireAgents(wiring);
    const result = await wired.agents.run({
      ...{ session, kind: "agent", content: request.content, model, signal },
      ...agentTools(wired.pipeline.available(), isSent),
      callTool: wired.callTool,
      instructions: planOnly ? [...INSTRUCTIONS, PLAN] : INSTRUCTIONS,
      ...(request.maxIterations === undefined ? {} : { maxIterations: request.maxIterations }),
      onEvent: (event) => view.onEvent(event),
    });
    return view.finish(result);
  } catch (error) {
    if (signal.aborted) {
      place.warn("Stopped before the first request to the model.");
      return EXIT.cancelled;
    }
    place.warn(tellFailure(error));
    return EXIT.toolError;
  } finally {
    own?.dispose();
    await workspace.close();
  }
}

/** Returns the id of the session to continue, or a new one. */
async function findSession(log: SessionLog, { session }: AgentRequest): Promise<string> {
  if (session === undefined) {
    return newId();
  }
  if (session !== "latest") {
    return (await log.status(session.id)).id;
  }
  const { sessions } = await log.list(MAX_LOOKED);
  const latest = sessions.find(({ kind }) => kind === "agent");
  if (latest === undefined) {
    throw new ToolError(
      "not_found",
      "--continue: this folder has no session of toolhost agent.",
      "Start one without --continue; toolhost sessions list shows the others.",
    );
  }
  return latest.id;
}
