// The rig extension as VS Code loads it: one file and a manifest.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { repository } from "../../scripts/paths.mjs";

/** Bundles the rig extension into `folder`; without a model, its manifest names no provider either. */
export async function buildRig(folder: string, model: boolean): Promise<string> {
  const source = join(repository, "test", "harness", "rig");
  await build({
    entryPoints: [join(source, "extension.ts")],
    outfile: join(folder, "extension.js"),
    bundle: true,
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    logLevel: "warning",
  });
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8")) as {
    contributes: { languageModelChatProviders?: unknown };
  };
  if (!model) delete manifest.contributes.languageModelChatProviders;
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  return folder;
}
