import type { Client } from "./clients.js";

/** Tests of the tables that go otherwise over a client of sandboxes, and why: nothing else is different there. */
interface Departure {
  clients: readonly Client[];
  /** The file, below `test`. */
  file: string;
  /** Its tests by their names, without the suite that names the host, or suites; or all of it. */
  tests: readonly string[] | "all";
  why: string;
  /** Whether they are not run: they would wait for what never comes there. Others are run, and must fail. */
  waits?: true;
}

const EXEC = "system/tools/exec.test.ts";
const PROCESS = "system/tools/process.test.ts";
const RUN_TASK = "system/tools/runTask.test.ts";

const NO_SHELL = "The library's sandbox in memory has no shell: its program answers commands.";

const AS_WRITTEN = "A client gets a command as it is written, with its sandbox's own variables.";

const AT_THE_END =
  "A client of E2B's shape gives a command's output when it has ended, takes no input for it, and cannot end it.";

const BY_SHELL: readonly Client[] = ["sandbox", "ssh", "podman"];

const ENDS_WITH_IT = "What a command started ends with it: it has a namespace of processes of its own.";

const PODMAN_STARTS = "Podman takes up to a second to start a program in a container: these tests wait less.";

const DEPARTURES: readonly Departure[] = [
  {
    clients: ["client"],
    file: "unit/tools/ls.test.ts",
    tests: [
      "what a reader sees, on the client host > the folders of a workspace of several",
      "what .gitignore leaves out, on the client host > each folder of a workspace of several has its own, one let in beside too",
    ],
    why: "A sandbox has one folder: the others of these tests are on this machine's disk.",
  },
  {
    clients: ["e2b"],
    file: EXEC,
    tests: [
      "a command that ends > 'gives what it wrote'",
      "a command whose data a program reads > is not slower to end because somebody else holds one of its streams",
      "a command that ends > says that what it started goes on, and waits for none of it",
    ],
    why: "`left_running` is null, as below.",
  },
  {
    clients: ["ssh", "podman"],
    file: EXEC,
    tests: [
      "a command that ends > 'gives what it wrote'",
      "a command that goes on > is ended at the minimum where less was given, which is said, and what it had written is kept",
      "a command that goes on > is ended with all it started when the call is cancelled; what it had written is kept",
      "a command that goes on > keeps what it wrote when it is killed later than any other call is waited for",
    ],
    why: "Whether something that a command started still runs there is not known: `left_running` is null, not false.",
  },
  {
    clients: ["ssh", "podman"],
    file: PROCESS,
    tests: ["signal > reaches all that was started, and its end is told as the caller's"],
    why: "`left_running` is null, as above.",
  },
  {
    clients: [...BY_SHELL, "e2b"],
    file: EXEC,
    tests: [
      "a command that ends > 'says that the first command of its pi…'",
      "a command that ends > 'says which commands of its pipe failed'",
      "a command that ends > 'fails in a pipeline where pipefail is…'",
    ],
    why: "The shell there is not asked how the commands of a pipe ended.",
  },
  {
    clients: [...BY_SHELL, "e2b"],
    file: EXEC,
    tests: ["a command that ends > 'that a signal ends'"],
    why: "The shell there gives a signal that nobody here sent as an exit code, which is shown as such.",
  },
  {
    clients: [...BY_SHELL, "e2b"],
    file: EXEC,
    tests: ["a command that ends > 'of a megabyte'"],
    why: "It is an argument of the program that reaches the sandbox, or of the shell there: longer ones than the system allows are an error.",
  },
  {
    clients: ["sandbox"],
    file: EXEC,
    tests: [
      "a command that goes on > is ended at the minimum where less was given, which is said, and what it had written is kept",
      "a command that goes on > is ended with all it started when the call is cancelled; what it had written is kept",
      "a command that goes on > keeps what it wrote when it is killed later than any other call is waited for",
    ],
    why: "The number that a process has there is that of another one outside, for which these tests look.",
  },
  {
    clients: ["sandbox"],
    file: EXEC,
    tests: [
      "a command that ends > says that what it started goes on, and waits for none of it",
      "a command whose data a program reads > is not slower to end because somebody else holds one of its streams",
    ],
    why: ENDS_WITH_IT,
  },
  {
    clients: ["sandbox"],
    file: PROCESS,
    tests: ["signal > reaches what an ended one left running"],
    why: ENDS_WITH_IT,
  },
  {
    clients: BY_SHELL,
    file: PROCESS,
    tests: ["input > to 'one that closed its input' is an error"],
    why: "The pipe ends at the program that reaches the sandbox, which takes what the command does not read.",
    waits: true,
  },
  {
    clients: ["podman"],
    file: EXEC,
    tests: [
      "a command that goes on > tidies up when it is asked to end, and that is told, too",
      "a command that ends > says that what it started goes on, and waits for none of it",
    ],
    why: PODMAN_STARTS,
    waits: true,
  },
  {
    clients: ["podman"],
    file: PROCESS,
    tests: [
      "a background command > that fails at once says so",
      "wait_for > waits no longer than it is told, and says so",
      "signal > to one that has ended says how",
      "status > of one that has ended is how and what, the answer of exec once more",
      "a process that cannot be had > one that ended too long ago says so, and its id is not given again",
    ],
    why: PODMAN_STARTS,
    waits: true,
  },
  { clients: ["e2b"], file: EXEC, tests: ["a command that ends > 'gets no pager and no prompt'"], why: AS_WRITTEN },
  { clients: ["e2b"], file: PROCESS, tests: "all", why: AT_THE_END, waits: true },
  {
    clients: ["e2b"],
    file: EXEC,
    tests: ["a command that goes on", "wait_for", "long output > of a command that is cancelled can be read, too"],
    why: AT_THE_END,
    waits: true,
  },
  {
    clients: ["e2b"],
    file: EXEC,
    tests: ["a command whose data a program reads > keeps the order of both for a model, which reads the text"],
    why: "Its two streams come apart, so that their order is not known: the standard error follows.",
  },
  { clients: ["e2b"], file: RUN_TASK, tests: ["both streams > come in their order for a model"], why: "As above." },
  {
    clients: ["e2b"],
    file: RUN_TASK,
    tests: ["a background step that says when it is ready", "a step that goes on"],
    why: AT_THE_END,
    waits: true,
  },
  ...[EXEC, PROCESS, RUN_TASK].map((file): Departure => ({
    clients: ["client"],
    file,
    tests: "all",
    why: NO_SHELL,
    waits: true,
  })),
];

/** Returns what is otherwise in a file over a client. */
export function departuresOf(client: string, file: string): Departure[] {
  return DEPARTURES.filter((each) => each.file === file && each.clients.some((name) => name === client));
}

/** Whether a departure names a test. @param name with the names of its suites, without the one that names the host */
export function departs({ tests }: Departure, name: string): boolean {
  return tests === "all" || tests.some((each) => name === each || name.startsWith(`${each} > `));
}
