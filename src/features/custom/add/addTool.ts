// Adds a tool of the user's own by asking, whichever door asks: the form, the trial, and what is written.
import { ToolError } from "../../../core/errors.js";
import { errorText, type Outcome } from "../../../core/outcome.js";
import type { Tool } from "../../../core/contract.js";
import type { Files } from "../../../ports/files.js";
import type { OpenApiEntry } from "../../openapi/entry.js";
import {
  approveService,
  describeService,
  loadService,
  readSource,
  sourceOf,
  type ApiLoader,
  type Service,
} from "../services.js";
import type { ApprovedFiles } from "../approvedFiles.js";
import type { ReadTools } from "../readTools.js";
import { AddForm, type EntryList, type NewEntry } from "./form.js";
import { writtenEntry } from "./insertEntry.js";
import { fillIn, problemOf, type Answers, type Ask, type Choice, type Question, type Step } from "./question.js";
import type { Saved } from "./saveEntry.js";

/** Where an entry can go. */
export interface AddTarget extends Choice {
  lists: readonly EntryList[];
  /** The folder that the entry's paths are relative to, as in `readServices`. */
  folder: string;
  /** @throws ToolError if nothing was saved */
  save(made: NewEntry, signal: AbortSignal): Promise<Saved>;
}

export interface AddHost {
  /** The first is suggested. */
  targets: readonly AddTarget[];
  /** The tools of Toolhost. */
  ours: readonly Tool[];
  /** Returns the file or the extension whose tool has a name; undefined if none has. */
  owner: (name: string) => string | undefined;
  /** Reads a file of tools. */
  read: (text: string) => ReadTools;
  /** Whether a name belongs to a tool that a description must not replace. */
  reserved: (name: string) => boolean;
  files: Files;
  approved: () => Promise<ApprovedFiles>;
  api: ApiLoader;
  ask: Ask;
  /** Runs the tool of an entry once, after the question that every call of it has. */
  attempt: (made: NewEntry, target: AddTarget, input: object, signal: AbortSignal) => Promise<Outcome>;
}

/** Answers of a person who left, and the key of the question that they left. */
export interface Draft {
  answers: Answers;
  at: string | undefined;
}

/** What a command line says already. */
export interface GivenAnswers {
  answers: Answers;
  /** The input of the trial; undefined to ask for it. */
  sample: object | undefined;
  /** Whether nothing is asked: what has no answer has its usual one. */
  isAlone: boolean;
  /** Whether the person wants it kept without being asked. */
  isKept: boolean;
}

/** A tool that was added. */
export interface Added {
  made: NewEntry;
  saved: Saved;
  /** What the trial gave, as a model would see it; undefined if there was none. */
  trial: string | undefined;
}

/**
 * Asks for a tool, tries it, and saves it.
 *
 * @param draft answers that a person gave before they left, and the question they left; they are changed
 * @returns undefined if the person left; then nothing was saved
 * @throws ToolError `invalid_input` if answers are missing or wrong and nobody can be asked, and those of `save`
 */
export async function addTool(
  host: AddHost,
  given: GivenAnswers,
  signal: AbortSignal,
  draft: Draft = { answers: {}, at: undefined },
): Promise<Added | undefined> {
  const [first] = host.targets;
  if (first === undefined) {
    throw new ToolError("unavailable", "There is no folder to add a tool to.", "Open a folder.");
  }
  const surveyed = new Map<string, { text: string; address: string | undefined }>();
  const target = (): AddTarget => host.targets.find(({ value }) => value === form.place) ?? first;
  const form: AddForm = new AddForm(
    {
      places: host.targets,
      ours: host.ours,
      nameProblem: (name) => nameProblem(name, host),
      problemsOf: ({ list, entry }) =>
        host.read(JSON.stringify({ [list]: [entry] })).problems.map(({ message }) => message),
      survey: async (spec, stop) => {
        const { source, isAddress } = sourceOf({ spec }, target().folder);
        const address = isAddress ? source : undefined;
        const text = isAddress
          ? await host.api.fetchText({ spec }, stop)
          : await readSource(host.files, source, host.api.maxBytes);
        const survey = await host.api.survey(text, address);
        if (typeof survey === "string") {
          throw new ToolError("invalid_input", `${source}: ${survey}`);
        }
        surveyed.set(spec, { text, address });
        return survey;
      },
      unusable: (made) => unusable(made),
      preview: (made) => preview(made),
    },
    draft.answers,
  );
  const { answers } = form;
  Object.assign(answers, given.answers);
  const isGiven = (key: string): boolean => Object.hasOwn(given.answers, key);
  await takeGiven(form, given, signal);
  let trial: string | undefined;
  // What a description has is only known once it was read.
  let from = answers["kind"] === "openapi" ? undefined : draft.at;
  const ask: Ask = (question, step) => {
    draft.at = question.key;
    return host.ask(question, step);
  };
  for (;;) {
    if (!given.isAlone && !(await fillIn(() => open(), answers, ask, { isGiven, from, signal }))) {
      return undefined;
    }
    await takeGiven(form, given, signal);
    if (answers["next"] !== "try") {
      break;
    }
    const outcome = await host.attempt(form.made(), target(), given.sample ?? form.sample(), signal);
    const text = outcome.ok ? outcome.text : errorText(outcome.error);
    trial = text;
    if (given.isAlone) {
      if (!outcome.ok) {
        throw new ToolError("invalid_input", `The trial failed, so nothing was added.\n${text}`);
      }
      break;
    }
    const next = await host.ask(keepQuestion(text), KEEP_STEP);
    if (next === undefined) {
      return undefined;
    }
    if (next === "keep") {
      break;
    }
    from = next === "again" ? open().find(({ key }) => key.startsWith("sample:"))?.key : "next";
  }
  const made = form.made();
  const saved = await target().save(made, signal);
  await approveDescription(made, saved);
  return { made, saved, trial };

  function open(): Question[] {
    return form.questions().filter(({ key }) => given.sample === undefined || !key.startsWith("sample:"));
  }

  async function preview(made: NewEntry): Promise<string> {
    const lines = [`For ${target().label}:`, "", writtenEntry(made)];
    if (made.list === "openapi") {
      const service = serviceOf(made);
      lines.push("", await describeService(service, await loadService(host.api, service, host.reserved)));
    }
    return lines.join("\n");
  }

  async function unusable(made: NewEntry): Promise<string | undefined> {
    if (made.list !== "openapi") {
      return undefined;
    }
    const { tools, leftOut, problems } = await loadService(host.api, serviceOf(made), host.reserved);
    return tools.length > 0 ? undefined : (leftOut[0]?.reason ?? problems[0]?.message ?? "It has no operations.");
  }

  function serviceOf({ entry }: NewEntry): Service {
    const api = entry as OpenApiEntry;
    const { text, address } = surveyed.get(api.spec) ?? { text: undefined, address: undefined };
    return {
      ...{ entry: api, source: sourceOf(api, target().folder).source, text, address },
      ...{ isApproved: false, lastApproved: undefined, version: "", line: 1, column: 1 },
    };
  }

  /** The person has just been shown what the description's tools are. */
  async function approveDescription(entry: NewEntry, { isApproved }: Saved): Promise<void> {
    const service = entry.list === "openapi" ? serviceOf(entry) : undefined;
    if (service?.text !== undefined && isApproved) {
      await approveService(await host.approved(), service, service.text);
    }
  }
}

const KEEP_STEP: Step = { step: 0, total: 0, canGoBack: true, mayBeEmpty: false, problem: undefined };

/** Checks the answers that flags gave; if nobody is asked, the others get their usual ones. */
async function takeGiven(form: AddForm, given: GivenAnswers, signal: AbortSignal): Promise<void> {
  const { answers } = form;
  const seen = new Set<string>();
  const missing = new Set<string>();
  for (;;) {
    const question = form
      .questions()
      .find(({ key }) => !seen.has(key) && (given.isAlone || Object.hasOwn(given.answers, key)));
    if (question === undefined) {
      break;
    }
    const { key, suggested, flag } = question;
    seen.add(key);
    if (question.isPassing === true) {
      refuseStray(given.answers, seen);
    }
    const isWhole = missing.size === 0;
    if ((given.sample !== undefined && key.startsWith("sample:")) || (question.isPassing === true && !isWhole)) {
      continue;
    }
    const answer = answers[key] ?? suggested;
    if (answer === undefined) {
      missing.add(flag);
      continue;
    }
    answers[key] = answer;
    const problem = await problemOf(question, answer, signal);
    if (problem !== undefined) {
      throw new ToolError("invalid_input", `${flag}: ${problem} Nothing was added.`);
    }
  }
  if (given.isAlone && !given.isKept) {
    missing.add("--yes");
  }
  if (missing.size > 0) {
    throw new ToolError(
      "invalid_input",
      `Nothing was added: these flags are missing: ${[...missing].join("; ")}.`,
      "Give them, or run it on a terminal without --yes, and it asks.",
    );
  }
}

/** @throws ToolError `invalid_input` if a flag describes a parameter that the command line has not */
function refuseStray(given: Answers, seen: ReadonlySet<string>): void {
  const stray = Object.keys(given)
    .find((key) => key.startsWith("about:") && !seen.has(key))
    ?.slice("about:".length);
  if (stray !== undefined) {
    throw new ToolError("invalid_input", `--param ${stray}: the command line has no {${stray}}. Nothing was added.`);
  }
}

function nameProblem(name: string, { owner, read }: Pick<AddHost, "owner" | "read">): string | undefined {
  const own = owner(name);
  if (own !== undefined) {
    return `${own} has a tool of this name. Choose another.`;
  }
  const { problems } = read(JSON.stringify({ tools: [{ name, description: "d", command: "c" }] }));
  return problems.map(({ message }) => message.replace(/^name: /, ""))[0];
}

function keepQuestion(trial: string): Question {
  return {
    key: "keep",
    kind: "choice",
    prompt: "That is what a model would see. Keep the tool?",
    choices: [
      { value: "keep", label: "Add It" },
      { value: "again", label: "Try Again", description: "with other values" },
      { value: "change", label: "Change It", description: "go back through the questions" },
    ],
    suggested: "keep",
    shown: async () => trial,
    isPassing: true,
    flag: "--yes",
  };
}
