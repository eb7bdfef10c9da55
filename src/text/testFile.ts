/** Whether a file is a test, by its path. */
export function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|specs?)\/|[._-](?:test|spec)s?\.[^/.]+$|(?:^|\/)test_[^/]*$|_test\.[^/.]+$/i.test(
    path,
  );
}
