// The three ways to Toolhost's tools, for a user who wants to be asked about every change; and what reaches people by
// itself.
import { shareWindow } from "../harness/shared-window";
import { copilotAgentSuite } from "./suites/copilot-agent";
import { messageSuite } from "./suites/message";
import { paletteSuite } from "./suites/palette";
import { participantSuite } from "./suites/participant";

const fresh = shareWindow(
  { settings: { "files.autoSave": "off", "chat.saveBeforeSend": false, "toolhost.permissionMode": "ask" } },
  { copilot: true },
);

participantSuite(fresh);
copilotAgentSuite(fresh);
paletteSuite(fresh);
// Last: its user allows something for the session.
messageSuite(fresh);
