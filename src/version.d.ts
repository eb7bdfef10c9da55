/** The version in package.json, put in by esbuild.mjs. */
declare const __TOOLHOST_VERSION__: string;
