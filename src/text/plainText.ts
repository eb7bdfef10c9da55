/**
 * A text as VS Code's notifications and quick picks show it unchanged: `[words](command:…)` would be a link there that
 * runs a command, `$(name)` an icon. A word joiner, which nobody sees, keeps them apart.
 */
export function plain(text: string): string {
  return text.replaceAll("](", "]\u2060(").replaceAll("$(", "$\u2060(");
}
