import {
  AGENT,
  LINK_COMMAND,
  PERMISSION_COMMAND,
  SERVER_COMMAND,
  UNDO_COMMAND,
  WALKTHROUGH,
} from "../names/contributed.js";

interface Step {
  id: string;
  title: string;
  /** Markdown; a link alone in its paragraph is a button. */
  description: string;
  /** In media; it ships with the extension. */
  image: string;
  alt: string;
  /** What marks the step as done. */
  done: string[];
}

const STEPS: readonly Step[] = [
  {
    id: "model",
    title: "Choose a model",
    description: `Toolhost works with the models of VS Code's chat: Copilot's, if you are signed in, or those of your own server (Ollama, LM Studio, any with OpenAI's interface).\n[Add Model Server](command:${SERVER_COMMAND.add})`,
    image: "agent.png",
    alt: "A chat in which @toolhost runs a failing test, fixes its cause and runs it again",
    done: [`onCommand:${SERVER_COMMAND.add}`, `onCommand:${LINK_COMMAND.ask}`, `onCommand:${LINK_COMMAND.useAgent}`],
  },
  {
    id: "ask",
    title: "Ask @toolhost",
    description: `Begin a message with @toolhost: it searches, reads, edits and runs commands in this workspace, and asks before it does what cannot be undone. Without a model, \`/run\` calls a single tool.\n[Ask @toolhost](command:${LINK_COMMAND.ask})`,
    image: "summary.png",
    alt: "The end of a turn: the changed files with their line counts, and the buttons Review and Undo",
    done: [`onCommand:${LINK_COMMAND.ask}`],
  },
  {
    id: "agent",
    title: "Or let Copilot work with these tools",
    description: `Choose the agent ${AGENT.name} in the chat's agent menu: Copilot then works with Toolhost's tools instead of its own.\n[Use the Agent ${AGENT.name}](command:${LINK_COMMAND.useAgent})`,
    image: "confirm-patch.png",
    alt: "Copilot asks before it applies a patch, and shows it",
    done: [`onCommand:${LINK_COMMAND.useAgent}`],
  },
  {
    id: "review",
    title: "Review and undo",
    description: `Every change can be reviewed side by side and undone, whichever agent made it, also what a command deleted. The status bar says how many files wait for a look. VS Code's own “Restore Checkpoint” does not know of these changes.\n[Review Changes](command:${UNDO_COMMAND.review})`,
    image: "review.png",
    alt: "The review of a turn: three files side by side, before and after",
    done: [`onCommand:${UNDO_COMMAND.review}`, `onCommand:${LINK_COMMAND.reviewNew}`],
  },
  {
    id: "permissions",
    title: "Decide what runs without a question",
    description: `Reading runs, and so do changes in the workspace that can be undone. The rest asks. See and change your rules, or find out what would be decided about a call, and why.\n[Permissions](command:${PERMISSION_COMMAND.rules})\n[Explain a Permission](command:${PERMISSION_COMMAND.explain})`,
    image: "permissions.png",
    alt: "The list of permission rules",
    done: [`onCommand:${PERMISSION_COMMAND.rules}`, `onCommand:${PERMISSION_COMMAND.explain}`],
  },
];

/** Returns the walkthrough that VS Code shows after the installation, and on its page *Welcome*. */
export function walkthrough(): object {
  return {
    id: WALKTHROUGH.id,
    title: WALKTHROUGH.title,
    description: "Agent tools that never guess, and whose changes can be undone",
    steps: STEPS.map(({ id, title, description, image, alt, done }) => ({
      ...{ id, title, description },
      media: { image: `media/${image}`, altText: alt },
      completionEvents: done,
    })),
  };
}
