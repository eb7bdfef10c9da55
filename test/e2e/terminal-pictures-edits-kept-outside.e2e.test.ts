// What a user in the light theme sees of @toolhost's work: terminals, the README's pictures, changes of several files,
// what is kept, agents of other systems.
import { shareWindow } from "../harness/shared-window";
import { editsSuite } from "./suites/edits";
import { keptSuite } from "./suites/kept";
import { outsideSuite } from "./suites/outside";
import { picturesSuite } from "./suites/pictures";
import { terminalSuite } from "./suites/terminal";

const fresh = shareWindow(
  {
    settings: {
      "files.autoSave": "off",
      "chat.saveBeforeSend": false,
      "workbench.colorTheme": "Default Light Modern",
      "editor.minimap.enabled": false,
    },
  },
  { copilot: true },
);

// First: the others make the chat view wide, and lines of a terminal beside it break.
terminalSuite(fresh);
picturesSuite(fresh);
editsSuite(fresh);
// An agent may use either of two windows: what is kept opens a second one for the folder.
outsideSuite(fresh);
keptSuite(fresh);
