import type { OpenApiEngine } from "../doors/shared/openApiTools.js";
import type { ApiLoader } from "../features/custom/services.js";
import { MAX_DESCRIPTION } from "../features/openapi/entry.js";
import type { OpenApiHost, OpenApiTools } from "../features/openapi/load.js";
import type { HttpOptions } from "../hosts/node/http/nodeHttp.js";
import type * as OpenApi from "./openApi.js";
import { USER_AGENT } from "./userAgent.js";

/** Loads what the API makes tools with. Its `createOpenApiTools` returns them, not a promise, so `import()` would not do. */
export function openApiEngine(options?: HttpOptions): OpenApiEngine {
  // oxlint-disable-next-line typescript/no-require-imports -- the only import that loads on use and at once
  const { loadOpenApiTools, nodeHttp } = require("./openApi.js") as typeof OpenApi;
  return { loadOpenApiTools, http: nodeHttp(USER_AGENT, options) };
}

/** Returns what makes tools of OpenAPI descriptions. An entry's tools stay the same while its description does. */
export function openApiTools(
  host: Pick<OpenApiHost, "secret" | "secretAdvice"> & {
    /** How many tools of an entry models are offered. */
    maxTools: () => number;
    http?: HttpOptions;
  },
): ApiLoader {
  const kept = new Map<string, { text: string; loaded: OpenApiTools }>();
  return {
    maxBytes: MAX_DESCRIPTION,
    load: async (entry, { text, address }, taken) => {
      const maxTools = host.maxTools();
      const key = JSON.stringify([entry, address, maxTools]);
      const known = kept.get(key);
      if (known?.text === text && !known.loaded.tools.some(({ name }) => taken(name))) {
        return known.loaded;
      }
      const { loadOpenApiTools, nodeHttp } = await import("./openApi.js");
      const { secret, secretAdvice } = host;
      const loaded = loadOpenApiTools(entry, {
        ...{ text, address, taken, maxTools, secret, secretAdvice },
        http: nodeHttp(USER_AGENT, host.http),
        now: Date.now,
      });
      kept.set(key, { text, loaded });
      return loaded;
    },
    fetchText: async (entry, signal, onProgress) => {
      const { fetchDescription, nodeHttp } = await import("./openApi.js");
      return fetchDescription(entry, nodeHttp(USER_AGENT, host.http), signal, onProgress);
    },
    survey: async (text, address) => {
      const { surveyDescription } = await import("./openApi.js");
      return surveyDescription(text, address);
    },
  };
}
