/** The vendor of the models of the user's servers, as package.json contributes it and code registers it. */
export const SERVERS_VENDOR = "toolhost-servers";

/** The commands about model servers, as package.json contributes them and code registers them. */
export const SERVER_COMMAND = {
  add: "toolhost.models.addServer",
  setKey: "toolhost.models.setKey",
  remove: "toolhost.models.removeServer",
} as const;
