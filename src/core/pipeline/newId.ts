/** Returns an id that no other call has. */
export function newId(): string {
  return crypto.randomUUID();
}
