// A file without a test.
export {};
