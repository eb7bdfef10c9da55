/** The name under which Toolhost calls servers. */
export const USER_AGENT = `Toolhost/${__TOOLHOST_VERSION__}`;
