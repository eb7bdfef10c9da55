/** How bad a problem can be, the worst first. */
export const SEVERITIES = ["error", "warning", "information", "hint"] as const;
