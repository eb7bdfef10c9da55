import { SETTING } from "../names/settings.js";

/** The settings by what people look for, in the order of VS Code's settings editor. Tool groups are the last section. */
const SECTIONS: readonly (readonly [title: string, settings: readonly string[]])[] = [
  [
    "Permissions",
    [
      SETTING.permissionMode,
      SETTING.rules,
      SETTING.offerRules,
      SETTING.sandboxCommands,
      SETTING.sandboxRehearse,
      SETTING.sandboxHosts,
      SETTING.maskSecrets,
    ],
  ],
  ["Models", [SETTING.modelServers, SETTING.agentModel, SETTING.embeddings, SETTING.codeSearch]],
  ["Changes", [SETTING.changesInEditor, SETTING.saveUnsaved, SETTING.updateImports, SETTING.newProblems]],
  ["Your Own Tools", [SETTING.tools, SETTING.openApiServices, SETTING.openApiMaxTools]],
  ["Memory", [SETTING.memoryEnabled, SETTING.memoryLimits]],
  ["Agents and Messages", [SETTING.offerInVsCode, SETTING.toolTimeout, SETTING.windowsShell, SETTING.messageChannels]],
  ["Web", [SETTING.searchProvider, SETTING.searchUrl]],
];
const GROUPS = "Tool Groups";

/** Returns the settings in sections. @throws Error if a section names a setting that there is not */
export function settingSections(properties: Readonly<Record<string, object>>): object[] {
  const named = new Set(SECTIONS.flatMap(([, settings]) => settings));
  const rest = Object.keys(properties).filter((setting) => !named.has(setting));
  return [...SECTIONS, [GROUPS, rest] as const].map(([title, settings], section) => ({
    title,
    order: section + 1,
    properties: Object.fromEntries(
      settings.map((setting, index) => {
        const property = properties[setting];
        if (property === undefined) {
          throw new Error(`There is no setting ${setting}.`);
        }
        return [setting, { order: index + 1, ...property }];
      }),
    ),
  }));
}
