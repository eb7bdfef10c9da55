import { expect, test } from "vitest";
import { openWorkspace, result } from "../../unit/tools/workspace.js";

test("looks at 500 files that may import, and says what it left", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 503 }, (_, index) => [`u/${String(index).padStart(3, "0")}.ts`, "import '../a';\n"]),
  );
  const patch = "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n*** End Patch";
  const { call, bytes } = await openWorkspace({ "a.ts": "", ...many }, { updatesImports: true });
  const answer = result<{ files: unknown[] }>(await call("apply_patch", { patch }));
  expect(answer.text).toMatch(/\n3 of 503 files that may import a moved file were not checked: the limit is 500\.$/);
  expect(answer.data.files).toHaveLength(501);
  expect(String(await bytes("u/499.ts"))).toBe("import '../b';\n");
  expect(String(await bytes("u/500.ts"))).toBe("import '../a';\n");
});
