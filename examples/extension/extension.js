// Gives Toolhost's agents a tool that only an extension can have: which files are open in the editor.
// @ts-check
const vscode = require("vscode");

/** @typedef {import("toolhost/extension").ToolhostApi} ToolhostApi */

/** @param {vscode.ExtensionContext} context */
exports.activate = async (context) => {
  /** @type {vscode.Extension<ToolhostApi> | undefined} */
  const toolhost = vscode.extensions.getExtension("toolhost.toolhost");
  const api = await toolhost?.activate();
  if (api === undefined) {
    return;
  }
  context.subscriptions.push(
    api.registerTool({
      name: "open_editors",
      description: "List the files that the user has open in the editor, with those that have unsaved changes marked.",
      inputSchema: {
        type: "object",
        properties: {
          unsaved: { type: "boolean", description: "Only those with unsaved changes. Default: all." },
        },
      },
      annotations: { readOnly: true },
      execute: ({ unsaved = false }) => {
        const files = vscode.window.tabGroups.all
          .flatMap(({ tabs }) => tabs)
          .flatMap(({ input, isDirty }) =>
            input instanceof vscode.TabInputText && (isDirty || !unsaved)
              ? [{ path: vscode.workspace.asRelativePath(input.uri), unsaved: isDirty }]
              : [],
          );
        const lines = files.map((file) => (file.unsaved ? `${file.path} (unsaved)` : file.path));
        return { text: lines.join("\n") || "No file is open.", data: { files } };
      },
    }),
  );
};
