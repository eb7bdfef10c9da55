// An entry of `openapi` in a file of the user's tools.
import * as z from "zod";
import { once } from "../../core/once.js";

const secret = once(() =>
  z
    .string()
    .regex(/^[A-Za-z_]\w{0,63}$/, "must be a name: letters, digits and _")
    .describe("Name of the secret, not its value."),
);

const auth = once(() =>
  z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("bearer"), secret: secret() }).describe("Authorization: Bearer …"),
    z
      .strictObject({ type: z.literal("basic"), username: z.string(), secret: secret() })
      .describe("User name and password."),
    z
      .strictObject({
        type: z.literal("apiKey"),
        in: z.enum(["header", "query", "cookie"]).optional(),
        name: z.string().min(1).max(200).optional(),
        secret: secret(),
      })
      .describe("An API key. Without `in` and `name`, as the description's first security scheme of this type says."),
    z
      .strictObject({
        type: z.literal("oauth2"),
        tokenUrl: z.url({ protocol: /^https?$/ }).describe("Where tokens are issued."),
        clientId: z.string().min(1),
        secret: secret(),
        scopes: z.array(z.string().min(1)).max(50).optional(),
        clientAuth: z.enum(["basic", "body"]).optional().describe("How the client authenticates. Default: basic."),
      })
      .describe("OAuth 2 with client credentials."),
  ]),
);

/** Number of tools of one entry that are listed, unless the user sets another. */
export const DEFAULT_MAX_TOOLS = 50;

/** Maximum tools of one entry, those behind search among them. */
export const MAX_TOOLS = 2_000;

/** Returns the number of tools that a user's setting wants to be listed; undefined if it is not such a number. */
export function readMaxTools(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_TOOLS ? value : undefined;
}

/** Maximum size of a description in bytes; GitHub's has 13 million. */
export const MAX_DESCRIPTION = 20_000_000;

/** A service described by OpenAPI, whose operations become tools. */
export const openApiEntry = once(() =>
  z.strictObject({
    spec: z
      .string()
      .min(1)
      .max(2_000)
      .describe("The description: a file, relative to the workspace folder, or an https address."),
    operations: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(200)
      .optional()
      .describe(
        'Which operations: an id, a glob of ids (pets*), tag:pets, or "GET /pets/*"; ! excludes. Default: all.',
      ),
    prefix: z
      .string()
      .regex(/^[a-z][a-z0-9]{0,19}$/, "must be at most 20 lowercase letters and digits")
      .optional()
      .describe("Put before the name of each tool."),
    server: z.string().min(1).max(2_000).optional().describe("Address of the server, instead of the description's."),
    variables: z.record(z.string(), z.string()).optional().describe("Values of variables in the server's address."),
    auth: z
      .union([auth(), z.array(auth()).min(1).max(5)])
      .optional()
      .describe("How calls authenticate."),
    headers: z
      .record(
        z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "must be a header's name: letters, digits and -"),
        z.string().regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, "must be Latin-1 characters on one line"),
      )
      .optional()
      .describe("Headers of every request. No secrets: use auth."),
    timeout: z.int().min(1).max(600).optional().describe("Seconds that a call may take. Default: 30."),
    maxBytes: z.int().min(1_000).max(100_000_000).optional().describe("Maximum size of an answer. Default: 10 MB."),
    allowPrivate: z
      .boolean()
      .optional()
      .describe("Whether the server's name may lead to an address of a private network. Default: false."),
  }),
);

export type OpenApiEntry = z.infer<ReturnType<typeof openApiEntry>>;
export type OpenApiAuth = z.infer<ReturnType<typeof auth>>;
