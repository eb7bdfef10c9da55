// Contained commands reach the hosts that the user allowed, and nothing else.
import { expect, test, describe } from "vitest";
import { startHttp } from "../../../unit/features/openapi/rig.js";
import { missingSandbox } from "../processes/missingSandbox.js";
import { openRig } from "./rig.js";

describe.skipIf(missingSandbox() !== undefined)("a contained command", () => {
  test("reaches an allowed host and no other", async () => {
    const server = await startHttp((_asked, response) => response.end("of the server"));
    const { port } = new URL(server.origin);
    const rig = await openRig(
      {
        "go.sh": `curl -sS http://api.example.com:${port}/\ncurl -sSp http://api.example.com:${port}/\ncurl -sS http://other.example.com:${port}/; env | grep -i proxy`,
      },
      {
        hosts: [`api.example.com:${port}`],
        names: { "api.example.com": "127.0.0.1", "other.example.com": "127.0.0.1" },
      },
    );
    expect(await rig.told(`python3 -c 'import subprocess; subprocess.run(["bash","go.sh"])'`)).toBe("");
  });
});
