// A copy of the build that notes which revision of MCP a client and `toolhost mcp` agreed on.
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cache } from "../peers/install.js";

export interface Build {
  /** The command line, which starts as any other. */
  cli: string;
  /** Returns the revision noted since the last call, and forgets it. */
  takeRevision: () => string | undefined;
}

/** Copies `dist`, with a first file that looks at what goes in and out before it runs the real one. */
export function copyBuild(repository: string): Build {
  const root = join(cache, "toolhost");
  const dist = join(root, "dist");
  const noted = join(root, "revision");
  rmSync(root, { recursive: true, force: true });
  cpSync(join(repository, "dist"), dist, { recursive: true, filter: (path) => !path.endsWith(".map") });
  // ripgrep and tree-sitter are found above the build.
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"));
  cpSync(join(dist, "cli.js"), join(dist, "real-cli.js"));
  writeFileSync(join(dist, "cli.js"), noteTaker(noted));
  return {
    cli: join(dist, "cli.js"),
    takeRevision: () => {
      const revision = existsSync(noted) ? readFileSync(noted, "utf8") : undefined;
      rmSync(noted, { force: true });
      return revision;
    },
  };
}

/** `initialize` is answered with the revision; since 2026-07-28, each request names it. */
function noteTaker(file: string): string {
  return `
const { writeFileSync } = require("node:fs");
const note = (text, pattern) => {
  const found = pattern.exec(String(text));
  if (found) writeFileSync(${JSON.stringify(file)}, found[1]);
};
if (process.argv.includes("mcp")) {
  const write = process.stdout.write;
  process.stdout.write = function (text, ...rest) {
    note(text, /"result":\\{[^}]*"protocolVersion":"([\\d-]+)"/);
    return write.call(this, text, ...rest);
  };
  const push = process.stdin.push;
  process.stdin.push = function (chunk, ...rest) {
    if (chunk) note(chunk, /"io\\.modelcontextprotocol\\/protocolVersion":"([\\d-]+)"/);
    return push.call(this, chunk, ...rest);
  };
}
require("./real-cli.js");
`;
}
