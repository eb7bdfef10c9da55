// What the tools for the web do, as a bundle of its own, which is loaded with their first call.
export { fetchPage, pageToKeep } from "./fetchPage.js";
export { searchWeb } from "./search/searchWeb.js";
export { keptPages, refreshPages } from "../context/keptPages.js";
