/** Returns a Markdown link that runs a command; `ChatOutput.own` must allow the command. @param label Markdown */
export function commandLink(label: string, command: string, argument: unknown, tooltip = label): string {
  // The link's title is shown instead of the command's URI.
  const target = encodeURIComponent(JSON.stringify([argument])).replaceAll(/[()]/g, (each) =>
    each === "(" ? "%28" : "%29",
  );
  return `[${label}](command:${command}?${target} "${tooltip}")`;
}
