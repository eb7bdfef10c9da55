// Where agents keep notes and documents in a workspace. Paths use `/` and are relative to the workspace folder.

export const STATE_FOLDER = ".toolhost";
export const CONTEXT_FOLDER = `${STATE_FOLDER}/context`;
export const MEMORY_FOLDER = `${STATE_FOLDER}/memory`;
export const MEMORY_FILE = `${STATE_FOLDER}/MEMORY.md`;
