// One run of an agent, which stops at each request until the script answers it.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { markedProcesses } from "../../scripts/marked-processes.mjs";
import type { Agent, Start } from "./agents.js";
import { cache } from "./install.js";
import { ScriptedModel, type LoopRequest } from "./model.js";
import type { Call } from "./protocols.js";

/** Milliseconds that an agent has for its start and for each step. */
const PATIENCE = 90_000;
/** Characters of an agent's own output that a failure quotes. */
const QUOTED = 300;
const MARK = ["TOOLHOST_PEERS_RUN", String(process.pid)] as const;

export interface Program {
  command: string;
  /** What comes before the agent's own arguments. */
  args: string[];
}

export class AgentSession {
  /** Milliseconds from the start of the process to the first request of the loop. */
  readonly startTime: number;
  readonly first: LoopRequest;
  readonly #model: ScriptedModel;
  readonly #child: Child;
  #waiting: LoopRequest;

  private constructor(model: ScriptedModel, child: Child, first: LoopRequest) {
    this.#model = model;
    this.#child = child;
    this.#waiting = this.first = first;
    this.startTime = first.arrived - child.started;
  }

  /**
   * Starts the agent and waits for its first request.
   *
   * @throws Error with what it printed if there is none
   */
  static async open(
    agent: Agent,
    program: Program,
    folder: string,
    prompt: string,
    home = homeOf(agent),
  ): Promise<AgentSession> {
    const model = await ScriptedModel.start(agent.loopTool);
    const child = new Child(program, agent.start({ url: model.url, home, folder, prompt }), { home, folder });
    const first = await model.next(child.endOrPatience());
    if (first === undefined) {
      const problem = `no request to the model: ${child.outcome()}`;
      child.kill();
      model.stop();
      throw new Error(problem);
    }
    return new AgentSession(model, child, first);
  }

  /**
   * The model asks for a call.
   *
   * @returns milliseconds until the next request, and its text, which has the result
   * @throws Error if there is no further request
   */
  async step(call: Call): Promise<{ time: number; text: string }> {
    const answered = this.#waiting.answer({ call });
    const next = await this.#model.next(this.#child.endOrPatience());
    if (next === undefined) {
      throw new Error(`${call.name}: no further request: ${this.#child.outcome()}`);
    }
    this.#waiting = next;
    return { time: next.arrived - answered, text: next.text };
  }

  /** The model answers with a text, which ends the run. What does not end by itself is killed. */
  async finish(): Promise<void> {
    this.#waiting.answer({ text: "Done." });
    await this.#child.endOrPatience(PATIENCE / 3);
    this.kill();
  }

  kill(): void {
    this.#child.kill();
    this.#model.stop();
  }
}

class Child {
  readonly started = performance.now();
  readonly #process: ChildProcess;
  readonly #ended: Promise<void>;
  #output = "";
  #code: string | undefined;

  constructor({ command, args }: Program, start: Start, { home, folder }: { home: string; folder: string }) {
    writeConfig(home, start);
    this.started = performance.now();
    this.#process = spawn(command, [...args, ...start.args], {
      cwd: folder,
      env: { ...environment(home), ...start.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on("data", (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-2 * QUOTED)));
    }
    this.#ended = new Promise((resolve) => {
      this.#process.once("error", (error) => {
        this.#code = error.message;
        resolve();
      });
      this.#process.once("exit", (code, signal) => {
        this.#code = `it ended with ${code ?? signal}`;
        resolve();
      });
    });
  }

  async endOrPatience(patience = PATIENCE): Promise<void> {
    let timer;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, patience)));
    await Promise.race([this.#ended, late]);
    clearTimeout(timer);
  }

  /** How it ended, or that it did not, with the last of what it printed. */
  outcome(): string {
    const said = this.#output.replace(/\s+/g, " ").trim().slice(-QUOTED);
    return `${this.#code ?? `nothing in ${PATIENCE / 1_000} s`}${said === "" ? "" : `: ${said}`}`;
  }

  kill(): void {
    try {
      process.kill(-(this.#process.pid ?? Number.NaN), "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** Writes an agent's configuration into its home. */
export function writeConfig(home: string, { config = {} }: Start): void {
  for (const [path, text] of Object.entries(config)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), typeof text === "string" ? text : JSON.stringify(text));
  }
}

/** Kills whatever the agents of this run left running, such as servers of their own. */
export function killLeftovers(): void {
  for (const pid of markedProcesses(MARK.join("="))) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

export function homeOf({ name }: Agent): string {
  return join(cache, "homes", name.replaceAll(" ", "-"));
}

/** Nothing of the user's own: no keys, no configuration. */
export function environment(home: string): Record<string, string> {
  const temporary = join(cache, "tmp");
  mkdirSync(temporary, { recursive: true });
  mkdirSync(home, { recursive: true });
  return {
    PATH: [dirname(process.execPath), join(cache, "bin"), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    ...{ HOME: home, TMPDIR: temporary, SHELL: "/bin/bash", LANG: "C.UTF-8", TERM: "dumb", NO_COLOR: "1" },
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    [MARK[0]]: MARK[1],
  };
}
