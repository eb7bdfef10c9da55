import { ToolError } from "../../../core/errors.js";
import type { Bridge } from "./bridge.js";

/** Programs that run commands in a container, with the same words. */
export type ContainerEngine = "docker" | "podman";

/**
 * Their exit codes for failures of their own (docker-exec(1), podman-exec(1); Podman 4.3 has 255 for a container that
 * does not run). A command can end with them, too.
 */
const OWN_FAILURES = new Set([1, 125, 126, 127, 255]);

/** Reaches a running container by the command line of its engine. @param container its name or id */
export function containerBridge(engine: ContainerEngine, container: string): Bridge {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(container)) {
    throw new ToolError("invalid_input", `${JSON.stringify(container)} is not the name of a container.`);
  }
  return {
    name: `${engine}:${container}`,
    call: (script) => ({ file: engine, args: ["exec", "-i", "--", container, "sh", "-c", script] }),
    failure: (exitCode, stderr) =>
      OWN_FAILURES.has(exitCode) && /^(Error|OCI runtime|Cannot connect|failed to connect)/m.test(stderr)
        ? new ToolError(
            "unavailable",
            `${engine} does not reach the container ${container}: ${stderr.trim().split("\n").at(-1) ?? ""}`,
            `Let the user check it with \`${engine} ps\`.`,
          )
        : undefined,
  };
}
