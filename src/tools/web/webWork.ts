// What the tools for the web do, as a bundle of its own, which is loaded with their first call.
export { fetchPage } from "./fetchPage.js";
export { searchWeb } from "./search/searchWeb.js";
export { isFetched, keptPages, pageToStore, refreshPages } from "../context/keptPages.js";
