// What OpenAPI tools need, as a bundle of its own, which is loaded with the first description.
export { fetchDescription } from "../features/openapi/fetchDescription.js";
export { loadOpenApiTools } from "../features/openapi/load.js";
export { surveyDescription } from "../features/openapi/survey.js";
export { nodeHttp } from "../hosts/node/http/nodeHttp.js";
