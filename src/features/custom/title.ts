/** Returns the name of a tool for people: `count_lines` is `Count lines`. */
export function titleOf(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
