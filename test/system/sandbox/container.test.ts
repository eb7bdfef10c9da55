// A container by its engine's command line: a stand-in for `podman exec` and `docker exec`, with the errors and exit codes of Podman
// 4.3.1 and Docker's command line as they were seen. Its containers are folders of this machine.
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { plant } from "../../unit/tools/workspace.js";
import { builtCli, type Finished } from "../cli/built.js";

const cli = builtCli();

const ENGINE = `#!/bin/sh
[ "$1 $2 $3 $5 $6" = "exec -i -- sh -c" ] || { echo "Error: unknown words: $*" >&2; exit 125; }
case $4 in
box) exec sh -c "$7" ;;
stopped) echo "Error: can only create exec sessions on running containers: container state improper" >&2; exit 255 ;;
bare) echo 'Error: runc: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: OCI runtime attempted to invoke a command that was not found' >&2; exit 127 ;;
far) echo "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?" >&2; exit 1 ;;
*) echo "Error: no container with name or ID \\"$4\\" found: no such container" >&2; exit 125 ;;
esac
`;

interface Place {
  folder: string;
  run: (address: string, ...words: string[]) => Promise<Finished>;
}

async function place(engines: Record<string, string> = { podman: ENGINE, docker: ENGINE }): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), "toolhost-there-"));
  const programs = await mkdtemp(join(tmpdir(), "engines-"));
  onTestFinished(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(programs, { recursive: true, force: true });
  });
  await plant(programs, engines);
  await Promise.all(Object.keys(engines).map((name) => chmod(join(programs, name), 0o755)));
  const PATH = [programs, process.env["PATH"]].join(delimiter);
  return {
    folder,
    run: (address, ...words) =>
      cli.run(["--sandbox", address, ...words], { env: { ...process.env, PATH, TOOLHOST_STATE: programs }, cwd: "/" }),
  };
}

describe.each(["podman", "docker"])("a container of %s", (engine) => {
  test("has its files read and changed, commands run, and changes undone", async () => {
    const { folder, run } = await place();
    await plant(folder, { "a.txt": "one\ntwo\n" });
    const address = `${engine}://box${folder}`;
    expect((await run(address, "edit", "a.txt", "--old-text", "two", "--new-text", "zwei")).err).toBe("");
    expect((await run(address, "grep", "zwei")).out).toContain("a.txt\n  2: zwei\n");
    const { out, code } = await run(address, "exec", "pwd; cat a.txt; exit 3");
    expect(out).toContain(`${folder}\none\nzwei\n`);
    expect(code).toBe(3);
    expect((await run(address, "undo")).code).toBe(0);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("one\ntwo\n");
  });

  test.each([
    ["none", 'Error: no container with name or ID "none" found: no such container'],
    ["stopped", "Error: can only create exec sessions on running containers: container state improper"],
    ["bare", 'exec: "sh": executable file not found'],
    ["far", "Cannot connect to the Docker daemon"],
  ])("that is not reached (%s) is one clear sentence, with what to look at", async (name, reason) => {
    const { err, code } = await (await place()).run(`${engine}://${name}/app`, "read", "x");
    expect(err).toContain(`${engine} does not reach the container ${name}: `);
    expect(err).toContain(reason);
    expect(err).toContain(`Let the user check it with \`${engine} ps\`.`);
    expect(code).toBe(1);
  });

  test.each([
    ["box:80/app", "a container has neither a user nor a port"],
    ["me@box/app", "a container has neither a user nor a port"],
    ["--privileged/app", '"--privileged" is not the name of a container.'],
  ])("has no address %s", async (rest, message) => {
    const { err, code } = await (await place()).run(`${engine}://${rest}`, "read", "x");
    expect(err).toContain(message);
    expect(code).not.toBe(0);
  });
});
