import { LARGEST_CHANGED_FILE } from "../../core/largestFile.js";

/** Maximum number of entries, and of the files and folders that they make together. */
export const MAX_ENTRIES = 5_000;

/** Maximum bytes of one file: what undo keeps. */
export const MAX_FILE_BYTES = LARGEST_CHANGED_FILE;

/** Maximum bytes of all files together: half of what the undo journal keeps. */
export const MAX_TOTAL_BYTES = 100_000_000;

/** Maximum folders in each other in a local folder. */
export const MAX_DEPTH = 64;
