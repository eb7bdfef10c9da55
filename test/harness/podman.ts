import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A container of Podman with this machine's programs and folder of temporary files: its own programs are not tested. */
async function startContainer(): Promise<{ name: string; remove: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), "container-"));
  const node = dirname(dirname(process.execPath));
  for (const folder of ["usr", "etc", "dev", "proc", "sys", "run", "root", "var", tmpdir(), node]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  for (const name of ["bin", "sbin", "lib", "lib64"]) {
    await symlink(`usr/${name}`, join(root, name));
  }
  const name = `toolhost-test-${process.pid}`;
  const mounts = ["/usr:/usr:ro", "/etc:/etc:ro", `${tmpdir()}:${tmpdir()}`, `${node}:${node}:ro`];
  const limits = ["nofile=1000:1000", "nproc=1000:1000"].flatMap((limit) => ["--ulimit", limit]);
  const remove = async (): Promise<void> => {
    execFileSync("podman", ["rm", "--force", "--ignore", "--time", "0", name], { stdio: "ignore" });
    await rm(root, { recursive: true, force: true });
  };
  try {
    const words = [
      "--detach",
      "--init=false",
      "--pid",
      "host",
      "--network",
      "none",
      "--name",
      name,
      "--env",
      `PATH=${process.env["PATH"]}`,
    ];
    const volumes = mounts.flatMap((mount) => ["--volume", mount]);
    const wait = ["sh", "-c", "trap exit TERM; while :; do sleep 1; done"];
    execFileSync("podman", ["run", ...words, ...limits, ...volumes, "--rootfs", root, ...wait], { stdio: "pipe" });
  } catch (error) {
    await remove();
    throw new Error(
      `These tests need a Podman that can start a container: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  return { name, remove };
}

/** One for all tests of a run. */
export async function setup(): Promise<() => Promise<void>> {
  const { name, remove } = await startContainer();
  process.env["TOOLHOST_TEST_CONTAINER"] = name;
  return remove;
}
