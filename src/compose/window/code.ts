import { lazyCode } from "../../features/code/lazyCode.js";
import type { Capabilities } from "../../ports/capabilities.js";
import type { Code } from "../../ports/code.js";
import type { LanguageServers } from "../../ports/languageServers.js";
import type { SeenFiles } from "./files.js";

/** Creates what knows of code: the window's language servers, and syntax for other languages. */
export function windowCode(syntax: Code, seen: SeenFiles): Pick<Capabilities, "code" | "languageServers"> {
  let opened: Promise<{ code: Code; languageServers: LanguageServers }> | undefined;
  const open = (): typeof opened & {} => (opened ??= openServers(syntax, seen));
  return {
    code: lazyCode(async () => (await open()).code),
    languageServers: {
      rename: async (...given) => (await open()).languageServers.rename(...given),
      actions: async (...given) => (await open()).languageServers.actions(...given),
      format: async (...given) => (await open()).languageServers.format(...given),
      problems: async (...given) => (await open()).languageServers.problems(...given),
    },
  };
}

async function openServers(
  syntax: Code,
  { files, search }: SeenFiles,
): Promise<{ code: Code; languageServers: LanguageServers }> {
  const { Languages, ServerCode, serverOrSyntax, UnreadProjects, VscodeLanguageServers } =
    await import("./serverCode.js");
  const languages = new Languages(files);
  const unread = new UnreadProjects(files, search);
  return {
    code: serverOrSyntax(new ServerCode(files, search, languages, unread), syntax),
    languageServers: new VscodeLanguageServers(files, languages, unread),
  };
}
