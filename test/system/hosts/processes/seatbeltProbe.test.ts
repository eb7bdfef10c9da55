// Whether macOS's Seatbelt contains commands is tried on the machine itself. Here, programs stand in for it that contain
// as they should, or lie in one way each: what is tested is the verdict.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { whySeatbeltFails } from "../../../../src/hosts/node/processes/seatbelt/probe.js";
import { Sandbox } from "../../../../src/hosts/node/processes/sandbox.js";
import { tempFolder } from "../../../unit/tools/workspace.js";
import { missingSandbox } from "./missingSandbox.js";

/** Reads the arguments as sandbox-exec does: the parameters are home, workspace, two secrets, state and scratch. */
const READ = `#!/bin/bash
while [ "$1" != -- ]; do
  case "$1" in
    -D*) word=\${1#-D}; declare "\${word%%=*}=\${word#*=}" ;;
  esac
  shift
done
shift
`;

interface Parts {
  before?: string;
  root?: string;
  home?: string;
  work?: string;
  hidden?: string;
  state?: string;
  network?: string;
  sockets?: string;
  processes?: string;
}

/** A program that contains what it is given as Seatbelt should, but for the parts that are given. */
function standIn({
  before = "",
  root = "--ro-bind / / --dev-bind /dev /dev",
  home = '--tmpfs "$P0"',
  work = '--ro-bind "$P1" "$P1"',
  hidden = '--ro-bind /dev/null "$P2" --ro-bind /dev/null "$P3"',
  state = '--tmpfs "$P4"',
  network = "--unshare-net",
  sockets = 'SOCKETS=(); [ -e "$P1/socket" ] && SOCKETS=(--ro-bind /dev/null "$P1/socket")',
  processes = "--unshare-pid --proc /proc",
}: Parts): string {
  return `${READ}${before}\n${sockets}\nexec bwrap ${[root, home, work, hidden, state, '--bind "$P5" "$P5"', network, processes, '"${SOCKETS[@]}"'].join(" ")} -- "$@"\n`;
}

async function verdictOn(script: string): Promise<string | undefined> {
  const program = join(await tempFolder(), "sandbox-exec");
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  return whySeatbeltFails(program, "/usr/bin/git");
}

describe.skipIf(missingSandbox() !== undefined)("Seatbelt", () => {
  test("contains commands where everything is as it must be", async () => {
    expect(await verdictOn(standIn({}))).toBeUndefined();
  });

  test.each<[lie: string, parts: Parts, why: string]>([
    ["lets it write in the workspace", { work: '--bind "$P1" "$P1"' }, "a file could be written in it"],
    ["lets it write elsewhere", { root: "--bind / / --dev-bind /dev /dev" }, "a file could be written in it"],
    [
      "lets it write in the home",
      { home: '--tmpfs "$P0" --bind "$P0/../home" "$P0" --ro-bind /dev/null "$P0/key"' },
      "a file could be written in it",
    ],
    ["shows secrets", { hidden: "" }, "a secret could be read in it"],
    ["shows a secret with an odd name", { hidden: '--ro-bind /dev/null "$P3"' }, "a secret could be read in it"],
    ["shows the home", { home: "" }, "a secret could be read in it"],
    ["shows Toolhost's state", { state: "" }, "a secret could be read in it"],
    ["lets it reach the network", { network: "" }, "the network could be reached in it"],
    ["lets it reach sockets with a name", { sockets: "" }, "a socket with a name could be reached in it"],
    ["lets it end other programs", { processes: "" }, "other programs could be ended in it"],
    [
      "starts no curl",
      { before: '[ "$3" = /usr/bin/curl ] && exit 1' },
      "a program of the network could not be started",
    ],
    ["shows no file", { work: "" }, "a file of the workspace could not be read in it"],
    ["runs nothing", { before: "exit 0" }, "a file of the workspace could not be read in it"],
    [
      "fails",
      { before: "echo 'sandbox_apply: Operation not permitted' >&2; exit 71" },
      "a file of the workspace could",
    ],
    ["dies", { before: "kill -9 $$" }, "a file of the workspace could not be read in it"],
    ["answers for the command", { before: "echo made up; exit 0" }, "a file of the workspace could not be read in it"],
    ["runs no Git", { before: '[ "$3" = /usr/bin/git ] && exit 1' }, "Git does not work in it"],
    ["runs no ls", { before: '[ "$3" = /bin/ls ] && exit 0' }, "the workspace could not be listed in it"],
    ["runs no shell", { before: '[ "$3" = /bin/bash ] && exit 1' }, "a shell could not read a here-document in it"],
  ])("that %s counts as missing", async (_lie, parts, why) => {
    expect(await verdictOn(standIn(parts))).toContain(`Seatbelt does not contain commands here: ${why}`);
  });

  test("that contains nothing counts as missing", async () => {
    expect(await verdictOn(`${READ}exec "$@"\n`)).toContain("a secret could be read in it");
  });

  test("that hangs counts as missing", { timeout: 60_000 }, async () => {
    expect(await verdictOn("#!/bin/sh\nexec sleep 600\n")).toBe(
      "Seatbelt does not contain commands here: it took longer than 10 s.",
    );
  });

  test("that is not there counts as missing", async () => {
    expect(await whySeatbeltFails("/nowhere/sandbox-exec", undefined)).toBe(
      "Commands are not contained: there is no /nowhere/sandbox-exec.",
    );
  });
});

test("where it is missing, no command is contained, and the reason is told once", async () => {
  const told: string[] = [];
  const platform = Object.getOwnPropertyDescriptor(process, "platform");
  Object.defineProperty(process, "platform", { ...platform, value: "darwin" });
  onTestFinished(() => void (platform && Object.defineProperty(process, "platform", platform)));
  const folder = await tempFolder();
  const sandbox = new Sandbox({
    isOn: () => true,
    folders: () => [folder],
    secretFiles: async () => [],
    stateFolder: () => "/nowhere",
    onMissing: (why) => void told.push(why),
  });
  const call = { file: "/bin/sh", isBash: false, args: ["-c", "ls"], script: undefined };
  const place = { folder, unreadable: "/dev/null", report: undefined, env: {}, own: {} };
  for (let time = 0; time < 2; time++) {
    expect(await sandbox.contained(call, { hidesSecrets: true }, place)).toBeUndefined();
    expect(await sandbox.isThere()).toBe(false);
  }
  expect(told).toEqual(["Commands are not contained: there is no /usr/bin/sandbox-exec."]);
});
