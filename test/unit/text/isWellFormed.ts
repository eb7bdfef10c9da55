/** Whether a text holds no half of a surrogate pair (String.prototype.isWellFormed is ES2024). */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
