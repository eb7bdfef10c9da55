// The search index of what agents keep and of code, as a bundle of its own, which is loaded with the first search.
export { KnowledgeBase } from "../features/knowledge/knowledgeBase.js";
