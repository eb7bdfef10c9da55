import type { Code, CodeAnswer } from "../../ports/code.js";

/** Answers about code from language servers, or from syntax where no server knows the language. */
export function serverOrSyntax(server: Code, syntax: Code): Code {
  const either = async <T>(ask: (code: Code) => Promise<CodeAnswer<T>>): Promise<CodeAnswer<T>> => {
    const answer = await ask(server);
    return answer.state === "no_server" ? ask(syntax) : answer;
  };
  return {
    outline: (...given) => either((code) => code.outline(...given)),
    find: (...given) => either((code) => code.find(...given)),
    places: (...given) => either((code) => code.places(...given)),
    callers: (...given) => either((code) => code.callers(...given)),
    hover: (...given) => server.hover(...given),
  };
}
