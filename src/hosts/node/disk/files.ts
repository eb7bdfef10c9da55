import type { Root } from "../../../ports/files.js";
import type { Disk } from "../../shared/disk.js";
import { DiskFiles } from "../../shared/diskFiles.js";
import { diskEncodings } from "./encodings.js";

/** Files of the local disk, for the command line. */
export class NodeFiles extends DiskFiles {
  /** @param roots folders that tools may work in; each exists */
  constructor(disk: Disk, roots: readonly Root[]) {
    const hints = {
      outside:
        "Tools work inside the workspace only. Give a path relative to it; the user can start toolhost with --root <dir> to let tools into another folder.",
      noRoot: "Run toolhost in a folder, or name one with --workspace <dir>.",
    };
    super(disk, roots, hints, diskEncodings);
  }
}
