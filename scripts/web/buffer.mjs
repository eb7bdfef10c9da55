// Node's Buffer in bundles for a browser.
export { Buffer } from "buffer/";
