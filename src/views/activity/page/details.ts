import { l10n } from "../../shared/l10n.js";
import type { ShownCall, ShownTexts } from "../protocol.js";
import { element, mark, span } from "./elements.js";

/** Lines of a text on the small page at the pointer. */
const TIP_LINES = 7;
/** Characters of it. */
const TIP_TEXT = 500;

/** The selected call, below the list. */
export class Details {
  readonly element = element("section", {
    class: "details",
    role: "region",
    "aria-label": l10n.t("Call"),
    tabindex: "-1",
  });
  readonly #onClose: () => void;
  #shown = "";

  /** @param onLeave called when somebody has read enough, by keyboard */
  constructor(onClose: () => void, onLeave: () => void) {
    this.#onClose = onClose;
    this.element.hidden = true;
    this.element.addEventListener("keydown", ({ key }) => key === "Escape" && onLeave());
  }

  /** @param texts undefined until they are known; null if they are no longer kept */
  show(call: ShownCall | undefined, texts: ShownTexts | null | undefined): void {
    const key = JSON.stringify([call, texts]);
    // Whoever selects text in it keeps the selection.
    if (key === this.#shown) {
      return;
    }
    this.#shown = key;
    this.element.hidden = call === undefined;
    if (call === undefined) {
      return;
    }
    const close = element("button", { "aria-label": l10n.t("Close details") }, l10n.t("Close"));
    close.addEventListener("click", this.#onClose);
    const heading = element("h2", { "data-look": call.look }, mark(call.look), `${call.tool} ${call.subject}`, close);
    this.element.replaceChildren(heading, element("p", {}, factsOf(call)), ...textsOf(call, texts));
  }
}

/** The call at the pointer. */
export class Tip {
  readonly element = element("div", { class: "tip", role: "tooltip" });

  constructor() {
    this.hide();
  }

  show(call: ShownCall, texts: ShownTexts | null | undefined, at: { x: number; y: number }): void {
    const parts = [texts?.input, texts?.result].flatMap((text) =>
      text === undefined || text === "" ? [] : [element("pre", {}, head(text))],
    );
    this.element.replaceChildren(
      `${call.tool} ${call.subject}`,
      element("div", { class: "words" }, factsOf(call)),
      ...parts,
    );
    this.element.hidden = false;
    const { width, height } = this.element.getBoundingClientRect();
    this.element.style.left = `${Math.max(4, Math.min(at.x + 12, innerWidth - width - 8))}px`;
    this.element.style.top = `${at.y + 18 + height > innerHeight ? Math.max(4, at.y - height - 10) : at.y + 18}px`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

function factsOf({ words, duration, started, bytes, agent }: ShownCall): string {
  return [
    words,
    ...(duration === undefined ? [] : [span(duration)]),
    l10n.t("began {0}", new Date(started).toLocaleString()),
    ...(bytes === 0 ? [] : [l10n.t("result {0} bytes", bytes.toLocaleString(document.documentElement.lang))]),
    ...(agent === undefined ? [] : [l10n.t("by {0}", agent)]),
  ].join(" · ");
}

function textsOf(call: ShownCall, texts: ShownTexts | null | undefined): HTMLElement[] {
  if (texts === undefined) {
    return [];
  }
  if (texts === null) {
    return [element("p", {}, l10n.t("Its input and result are no longer kept."))];
  }
  const { input, result } = texts;
  const none = call.look === "running" ? l10n.t("Not yet: it is running.") : l10n.t("Not kept.");
  return [
    element("h3", {}, l10n.t("Input")),
    element("pre", { tabindex: "0", "aria-label": l10n.t("Input") }, input),
    element("h3", {}, l10n.t("Result")),
    element("pre", { tabindex: "0", "aria-label": l10n.t("Result") }, result ?? none),
  ];
}

function head(text: string): string {
  const lines = text.slice(0, TIP_TEXT).split("\n");
  const cut = lines.slice(0, TIP_LINES).join("\n");
  return cut.length < text.length ? `${cut}…` : cut;
}
