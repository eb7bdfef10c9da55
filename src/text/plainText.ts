/**
 * Escapes a text so that VS Code's notifications and quick picks show it literally: there `[words](command:…)` would be
 * a link that runs a command, and `$(name)` an icon. Inserted invisible word joiners prevent that.
 */
export function plain(text: string): string {
  return text.replaceAll("](", "]\u2060(").replaceAll("$(", "$\u2060(");
}
