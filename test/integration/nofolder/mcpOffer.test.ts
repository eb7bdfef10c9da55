// VS Code's own agents in a window with no folder.
import { offersRegisteredTool } from "../mcpOffer";

describe("the MCP server that a window with no folder offers to VS Code", () => {
  it("has the tools that are registered at run time", offersRegisteredTool);
});
