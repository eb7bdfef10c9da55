/** Finds the program files of commands. */
export interface Programs {
  /**
   * Returns all files that a program name resolves to in the PATH that commands get: the first match, every link on the
   * way with its folder's real path, and for a script its interpreter, resolved the same way.
   *
   * @param name as written in the command; one with a slash is a path
   * @param folder the host's own absolute path of the folder the command runs in, for relative folders of PATH
   * @returns absolute paths; empty if there is no such program
   */
  find(name: string, folder: string): Promise<readonly string[]>;
}
