// What the bundler defines otherwise; imported before the sources that read it.
Object.assign(globalThis, { __TOOLHOST_VERSION__: "1.2.3" });
