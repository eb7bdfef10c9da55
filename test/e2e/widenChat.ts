import type { Workbench } from "../harness/workbench";

/** Width of the chat view in pictures: enough for a diff. */
const CHAT_WIDTH = 560;

/** Drags the edge of the chat view until it is as wide as in the README's pictures. */
export async function widenChat({ page }: Workbench): Promise<void> {
  const box = await page.locator(".part.auxiliarybar").boundingBox();
  const view = page.viewportSize();
  if (box === null || view === null) {
    throw new Error("The chat view is not shown.");
  }
  await page.mouse.move(box.x - 2, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(view.width - CHAT_WIDTH, box.y + 200, { steps: 5 });
  await page.mouse.up();
}
