import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes a folder with all that is in it, also from folders whose mode does not let their owner. */
export async function removeAll(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(async () => {
    await openUp(folder);
    await rm(folder, { recursive: true, force: true });
  });
}

async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      await openUp(join(folder, entry.name));
    }
  }
}
