import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { oneLine, shorten } from "../../../../text/clip.js";
import { messageOf } from "../../../../text/words.js";
import { seatbeltArguments } from "./profile.js";

/** How long each step may take, in ms. */
const STEP_TIME = 10_000;
/** Maximum characters of the reason. */
const MAX_REASON = 200;

/** A name with all characters that a profile could take for its own. */
const ODD_NAME = '.env "a" \\ (b)\n#"^.*';

/**
 * Returns why commands cannot be contained by Seatbelt on this machine, as a sentence; undefined if they can.
 *
 * Apple documents neither the language of profiles nor what changes in it, so nothing is taken for granted: the real
 * profile is tried on a folder of our own. What it must forbid is first done without it, since a step that cannot
 * succeed anyway proves nothing; and whether it happened is seen by this process, not by what the command says.
 *
 * @param program sandbox-exec(1)
 * @param git absolute path of Git; if absent, it is not tried
 */
export async function whySeatbeltFails(program: string, git: string | undefined): Promise<string | undefined> {
  if (!existsSync(program)) {
    return `Commands are not contained: there is no ${program}.`;
  }
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolhost-probe-")));
  try {
    const why = await firstFailure(program, git, folder);
    return why && `Seatbelt does not contain commands here: ${why}.`;
  } catch (error) {
    return `Seatbelt does not contain commands here: ${shorten(oneLine(messageOf(error)), MAX_REASON)}.`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tries the profile. @returns what is not as it must be, or cannot be told */
async function firstFailure(program: string, git: string | undefined, folder: string): Promise<string | undefined> {
  const [shown, secret] = [randomUUID(), randomUUID()];
  const at = (...names: string[]): string => join(folder, ...names);
  const [workspace, home, scratch, state] = [at("home/work"), at("home"), at("scratch"), at("state")];
  const outside = at("outside");
  for (const each of [workspace, scratch, state, outside]) {
    mkdirSync(each, { recursive: true });
  }
  writeFileSync(join(workspace, "shown.txt"), shown);
  const hidden = [ODD_NAME, ".env"].map((name) => join(workspace, name));
  const secrets = [...hidden, join(home, "key"), join(state, "journal")];
  for (const each of secrets) {
    writeFileSync(each, secret);
  }
  const profile = seatbeltArguments({
    ...{ emptied: [home], seen: [workspace], hidden: [...hidden, state], readable: [], report: undefined, scratch },
  });
  const contained = (...words: string[]): Promise<string> =>
    outputOf(program, [...profile, "/usr/bin/env", `TMPDIR=${scratch}`, ...words]);
  const free = ([file = "", ...words]: string[]): Promise<string> => outputOf(file, words);

  if ((await contained("/bin/cat", join(workspace, "shown.txt"))) !== shown) {
    return "a file of the workspace could not be read in it";
  }
  if (!(await contained("/bin/ls", workspace)).split("\n").includes("shown.txt")) {
    return "the workspace could not be listed in it";
  }
  const lines = "cat <<end\nhere\nend\n";
  if ((await contained("/bin/bash", "-c", lines)) !== "here\n") {
    return "a shell could not read a here-document in it";
  }
  if (git !== undefined) {
    await free([git, "init", "-q", workspace]);
    const status = [git, "-C", workspace, "status", "--short", "shown.txt"];
    if ((await free(status)).includes("shown.txt") && !(await contained(...status)).includes("shown.txt")) {
      return "Git does not work in it";
    }
  }
  for (const each of secrets) {
    const cat = ["/bin/cat", each];
    if (!(await free(cat)).includes(secret)) {
      return "a secret could not be read without it, so what it hides is not known";
    }
    if ((await contained(...cat)).includes(secret)) {
      return "a secret could be read in it";
    }
  }
  for (const place of [workspace, outside, home]) {
    const write = (name: string): string[] => [
      "/bin/sh",
      "-c",
      'echo x > "$1"; echo x >> "$2"',
      "sh",
      join(place, name),
      kept,
    ];
    const kept = join(place, "kept.txt");
    writeFileSync(kept, "kept");
    await contained(...write("made-contained"));
    if (existsSync(join(place, "made-contained")) || readFileSync(kept, "utf8") !== "kept") {
      return "a file could be written in it";
    }
    await free(write("made-free"));
    if (!existsSync(join(place, "made-free"))) {
      return "a file could not be written without it, so what it forbids is not known";
    }
  }
  if (!(await contained("/usr/bin/curl", "--version")).startsWith("curl ")) {
    return "a program of the network could not be started in it, so what it forbids is not known";
  }
  const socket = join(workspace, "socket");
  return (
    (await whatIsReached(0, (port) => ["/bin/bash", "-c", `cat < /dev/tcp/127.0.0.1/${port}`], contained, free)) ??
    (await whatIsReached(
      socket,
      () => ["/usr/bin/curl", "-s", "--unix-socket", socket, "http://x/"],
      contained,
      free,
    )) ??
    (await whoIsEnded(contained, free))
  );
}

type Contained = (...words: string[]) => Promise<string>;
type Free = (words: string[]) => Promise<string>;

/** Tries a socket of the network, or one with a name. */
async function whatIsReached(
  at: number | string,
  connecting: (port: number) => string[],
  contained: Contained,
  free: Free,
): Promise<string | undefined> {
  let heard = 0;
  const server = createServer((socket) => {
    heard++;
    socket.on("error", () => undefined).end();
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(typeof at === "number" ? { port: at, host: "127.0.0.1" } : { path: at }, resolve);
    });
    const address = server.address();
    const connect = connecting(typeof address === "object" && address !== null ? address.port : 0);
    await contained(...connect);
    const inIt = heard;
    await free(connect);
    // The last one is accepted after all before it.
    const what = typeof at === "number" ? "the network" : "a socket with a name";
    return inIt > 0 || heard > 1
      ? `${what} could be reached in it`
      : heard === 0
        ? `${what} could not be reached without it, so what it forbids is not known`
        : undefined;
  } finally {
    server.close();
  }
}

/** Tries to end another program. Which signal ends it tells who did. */
async function whoIsEnded(contained: Contained, free: Free): Promise<string | undefined> {
  const other = spawn("/bin/sleep", [String(STEP_TIME / 100)], { stdio: "ignore" });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    other.once("exit", (_code, signal) => resolve(signal)).once("error", () => resolve(null));
  });
  await contained("/bin/kill", "-USR1", String(other.pid));
  await free(["/bin/kill", "-TERM", String(other.pid)]);
  const signal = await ended;
  return signal === "SIGTERM"
    ? undefined
    : signal === "SIGUSR1"
      ? "other programs could be ended in it"
      : "a program could not be ended without it, so what it forbids is not known";
}

/** Returns what a program writes to its standard output, however it ends. @throws {Error} if it hangs */
async function outputOf(file: string, words: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(file, [...words], { timeout: STEP_TIME, killSignal: "SIGKILL" })).stdout;
  } catch (error) {
    const { killed, stdout = "" } = error as { killed?: boolean; stdout?: string };
    if (killed === true) {
      throw new Error(`it took longer than ${STEP_TIME / 1_000} s`, { cause: error });
    }
    return stdout;
  }
}
