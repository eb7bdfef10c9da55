/** Returns a value as people read it in a list. */
export function labelOf(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1);
}
