/** What Toolhost calls itself to servers. */
export const USER_AGENT = `Toolhost/${__TOOLHOST_VERSION__}`;
