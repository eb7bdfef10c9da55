interface Written {
  parts: readonly object[];
  form: string;
  bytes: Uint8Array;
}

/** By the first part: each request has new messages and lists of tools, but the same parts, which never change. */
const written = new WeakMap<object, Written>();

/**
 * Returns what the parts of a message, or some tools, become, as elements of a JSON array; empty for none. Each request of
 * a conversation repeats the one before it, which can be megabytes, so the bytes are kept as long as the conversation.
 *
 * @param form whatever else the result depends on
 */
export function writtenOnce(parts: readonly object[], form: string, convert: () => readonly object[]): Uint8Array {
  const [first] = parts;
  const known = first && written.get(first);
  if (known?.form === form && isSame(known.parts, parts)) {
    return known.bytes;
  }
  const bytes = Buffer.from(JSON.stringify(convert()).slice(1, -1));
  if (first !== undefined) {
    written.set(first, { parts: [...parts], form, bytes });
  }
  return bytes;
}

function isSame(one: readonly object[], other: readonly object[]): boolean {
  return one.length === other.length && one.every((part, index) => part === other[index]);
}
