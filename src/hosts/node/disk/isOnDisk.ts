/** Whether a `fileKey` is a path rather than an address. A drive's name has one letter. */
export function isOnDisk(key: string): boolean {
  return !/^[\w+.-]{2,}:/.test(key);
}
