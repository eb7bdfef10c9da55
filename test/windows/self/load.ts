// A file that cannot be loaded.
throw new Error("a file that throws as it is loaded");
