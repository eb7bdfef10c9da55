/** Characters of new output, and of a line, in which to look for what a server says: they say it in a short line. */
const MAX_LOOK = 20_000;
const MAX_SAID = 500;

/**
 * What servers and watchers print once they are ready: `Listening on port 3000`, `Local: http://localhost:5173/`,
 * `Watching for file changes`; or all three parts of `Serving HTTP on 0.0.0.0 port 8000`, `Running on http://…`. Each
 * is tested by itself: an expression for all of it takes seconds on a line that only repeats its beginning.
 */
const LISTENS = /\blistening\b|\blocal(?:host)?:[ \t]{1,20}https?:\/\/|\bwatching for (?:file )?changes\b/i;
const SERVES = [
  /\b(?:serving|running|started|server|available|ready)\b/i,
  /\b(?:on|at)\b/i,
  /https?:\/\/|:\d{2,5}\b|\bport \d/i,
];

/** Whether the end of an output says that a server or watcher is ready. */
export function saysItListens(output: string): boolean {
  return output
    .slice(-MAX_LOOK)
    .split("\n")
    .map((line) => line.slice(0, MAX_SAID))
    .some((line) => LISTENS.test(line) || SERVES.every((part) => part.test(line)));
}
