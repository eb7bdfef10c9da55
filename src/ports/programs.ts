/** Where the programs of commands lie. */
export interface Programs {
  /**
   * All files that a program's name leads to in the PATH that commands get: what is found first, every link on the way
   * with the real path of its folder, and, of a script, its interpreter in the same way.
   *
   * @param name as the command has it; one with a slash is a path
   * @param folder the host's own absolute path of the folder the command runs in, for relative folders of PATH
   * @returns absolute paths; none where there is no such program
   */
  find(name: string, folder: string): Promise<readonly string[]>;
}
