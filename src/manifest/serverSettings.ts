// The servers of models, which get what users write.

/** Returns the setting of the server for embeddings. */
export function embeddingsSetting(): object {
  return {
    type: "object",
    default: {},
    // A repository must not decide where the user's texts are sent.
    scope: "application",
    additionalProperties: false,
    properties: {
      baseUrl: { type: "string", description: "The server's base URL, usually up to /v1: http://localhost:11434/v1." },
      model: { type: "string", description: "Name of an embeddings model on the server." },
      apiKeyName: {
        type: "string",
        description: "Name of the environment variable that holds the API key, if the server needs one.",
      },
      // The former name of baseUrl; settings that use it keep working.
      url: { type: "string", deprecationMessage: "Use baseUrl." },
    },
    markdownDescription:
      'An OpenAI-compatible embeddings server, so that `memory_search` and `context_search` also find texts that use other words. **The notes and files that agents keep are sent there.** Without a server, searches match words only. For example `{ "baseUrl": "http://localhost:11434/v1", "model": "nomic-embed-text" }`.',
  };
}

/** Returns the setting of the servers of models. */
export function modelServersSetting(): object {
  const price = (what: string): object => ({
    type: "number",
    minimum: 0,
    description: `Price of a million ${what} tokens.`,
  });
  return {
    type: "object",
    default: {},
    // A repository must not decide where the user's texts and keys are sent.
    scope: "application",
    markdownDescription:
      'OpenAI-compatible servers by name, for `@toolhost` and every chat in VS Code. **Conversations with their models are sent there.** *Toolhost: Add Model Server…* adds one; keys are kept in VS Code\'s secret storage (*Toolhost: Set Key of Model Server…*). For example `{ "ollama": { "baseUrl": "http://localhost:11434/v1" } }`.',
    additionalProperties: {
      type: "object",
      required: ["baseUrl"],
      additionalProperties: false,
      properties: {
        baseUrl: {
          type: "string",
          description: "The server's base URL, usually up to /v1: http://localhost:11434/v1.",
        },
        models: {
          type: "array",
          description: "The models to offer. Default: all that the server lists.",
          items: {
            anyOf: [
              { type: "string" },
              {
                type: "object",
                required: ["id"],
                additionalProperties: false,
                properties: {
                  id: { type: "string", description: "The server's id for the model." },
                  name: { type: "string", description: "Display name." },
                  maxInputTokens: {
                    type: "integer",
                    minimum: 1,
                    description: "Maximum tokens in a request. Default: what the server reports.",
                  },
                  images: {
                    type: "boolean",
                    description:
                      "Whether the model accepts images. Default: what the server reports, otherwise they are sent until it refuses one.",
                  },
                  prices: {
                    type: "object",
                    required: ["input", "output"],
                    additionalProperties: false,
                    properties: { input: price("request"), output: price("answer") },
                    description: "Used to show costs, in any currency.",
                  },
                },
              },
            ],
          },
        },
        headers: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "Headers to send with every request.",
        },
      },
    },
  };
}
