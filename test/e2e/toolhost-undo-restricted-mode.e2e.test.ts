// @toolhost's agent, what of its work can be taken back, and what remains of both in a folder that is not trusted.
import { shareWindow } from "../harness/shared-window";
import { restrictedModeSuite } from "./suites/restricted-mode";
import { toolhostSuite } from "./suites/toolhost";
import { undoSuite } from "./suites/undo";

const fresh = shareWindow(
  {
    settings: {
      "files.autoSave": "off",
      "chat.saveBeforeSend": false,
      "chat.editing.confirmEditRequestRemoval": false,
      "workbench.colorTheme": "Default Light Modern",
      "editor.minimap.enabled": false,
    },
  },
  { copilot: true },
);

toolhostSuite(fresh);
undoSuite(fresh);
// Last: it closes the window.
restrictedModeSuite(fresh);
