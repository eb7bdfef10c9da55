import type { Command } from "commander";

/** A request about the MCP servers whose tools agents can call here. */
export type McpServersRequest =
  | { kind: "list"; json: boolean }
  | { kind: "approve"; server: string | undefined; yes: boolean };

/** Adds `toolhost mcp servers` and `toolhost mcp approve`. */
export function addServersCommands(mcp: Command, run: (request: McpServersRequest) => Promise<void>): void {
  mcp
    .command("servers")
    .description("list the MCP servers whose tools agents can call here, and whether each may be started")
    .option("--json", "print a line of JSON for each server")
    .action(({ json }: { json?: boolean }) => run({ kind: "list", json: json === true }));
  mcp
    .command("approve [server]")
    .description(
      "show the definitions that are new, of servers and of tools that were called, and approve exactly those",
    )
    .option("--yes", "approve without a question")
    .action((server: string | undefined, { yes }: { yes?: boolean }) =>
      run({ kind: "approve", server, yes: yes === true }),
    );
}
