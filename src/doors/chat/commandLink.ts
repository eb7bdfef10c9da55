/** Returns a Markdown link that runs a command; `ChatOutput.own` must allow the command. @param label Markdown */
export function commandLink(label: string, command: string, argument: unknown, tooltip = label): string {
  // VS Code decodes the argument twice: a percent sign would begin another character, such as the `?` of a URI's path.
  const json = JSON.stringify([argument]).replaceAll("%", String.raw`\u0025`);
  // The link's title is shown instead of the command's URI.
  const target = encodeURIComponent(json).replaceAll(/[()]/g, (each) => (each === "(" ? "%28" : "%29"));
  return `[${label}](command:${command}?${target} "${tooltip}")`;
}
