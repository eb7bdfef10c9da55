/**
 * The command that sets what channels name as `${secret:name}`, as package.json contributes it and code registers it.
 */
export const SET_MESSAGE_SECRET = { command: "toolhost.message.setSecret", title: "Set Message Secret…" } as const;
