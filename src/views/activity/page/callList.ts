import { l10n } from "../../shared/l10n.js";
import type { ShownActivity, ShownCall } from "../protocol.js";
import { element, mark, span } from "./elements.js";

/** How many rows the page keys pass. */
const PAGE = 10;

interface Span {
  from: number;
  to: number;
}

/** The calls by turn, as bars on the turn's time: a list in which one is selected. */
export class CallList {
  readonly element = element("div", { class: "calls", role: "listbox", tabindex: "0", "aria-label": l10n.t("Calls") });
  readonly #onSelect: (call: ShownCall | undefined) => void;
  readonly #onOpen: () => void;
  readonly #note = element("p", { class: "note" });
  #calls: readonly ShownCall[] = [];
  #rows = new Map<number, CallRow>();
  #groups = new Map<number | undefined, TurnGroup>();
  #selected: number | undefined;

  /** @param onOpen called when somebody wants to read the selected call */
  constructor(onSelect: (call: ShownCall | undefined) => void, onOpen: () => void) {
    this.#onSelect = onSelect;
    this.#onOpen = onOpen;
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    // Not `click`: the row may move away under the pointer.
    this.element.addEventListener("pointerdown", ({ target, button }) => {
      const seq = button === 0 ? seqOf(target) : undefined;
      if (seq !== undefined) {
        this.select(seq);
      }
    });
  }

  /** Whether some of the calls are running. */
  get isRunning(): boolean {
    return this.#calls.some(({ look }) => look === "running");
  }

  /**
   * Shows calls of an activity. What is there already stays the same element, so that a screen reader is not interrupted.
   *
   * @param now the end of what still runs, in ms since 1970
   */
  show({ turns, calls: all, earlier }: ShownActivity, calls: readonly ShownCall[], now: number): void {
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - 30;
    this.#calls = calls;
    const [rows, groups] = [this.#rows, this.#groups];
    this.#rows = new Map();
    this.#groups = new Map();
    const [whole, passing] = [byTurn(all), byTurn(calls)];
    const shown = turns.flatMap((turn, index) => {
      const [everything = [], own = []] = [whole.get(index), passing.get(index)];
      if (own.length === 0) {
        return [];
      }
      const within = spanOf(everything, now);
      // Whatever passes the filter, it is the turn that began with this call.
      const key = everything[0]?.seq;
      const group = groups.get(key) ?? new TurnGroup(turn.title);
      this.#groups.set(key, group);
      const ownRows = own.map((call) => {
        const row = rows.get(call.seq) ?? new CallRow(call.seq);
        this.#rows.set(call.seq, row);
        row.update(call, within, own, now);
        return row.element;
      });
      const calls = l10n.many(own.length, "{0} call", "{0} calls");
      group.update(`${turn.detail} · ${calls} · ${span(within.to - within.from)}`, ownRows);
      return [group.element];
    });
    this.#note.textContent = l10n.many(earlier, "{0} earlier call not shown.", "{0} earlier calls not shown.");
    place(this.element, [...(earlier === 0 ? [] : [this.#note]), ...shown]);
    // Whoever watches the end goes on watching it; whoever reads stays where they are.
    if (isAtEnd && this.#selected === undefined) {
      this.element.scrollTop = this.element.scrollHeight;
    }
    const selected = calls.find(({ seq }) => seq === this.#selected);
    this.#mark(selected?.seq);
    this.#onSelect(selected);
  }

  select(seq: number | undefined): void {
    this.#mark(seq);
    const row = seq === undefined ? undefined : this.#rows.get(seq);
    row?.element.scrollIntoView({ block: "nearest" });
    this.#onSelect(this.#calls.find((call) => call.seq === seq));
  }

  #mark(seq: number | undefined): void {
    this.#selected = seq;
    for (const [key, row] of this.#rows) {
      row.element.setAttribute("aria-selected", String(key === seq));
    }
    if (seq === undefined) {
      this.element.removeAttribute("aria-activedescendant");
    } else {
      this.element.setAttribute("aria-activedescendant", `call-${seq}`);
    }
  }

  #onKey(event: KeyboardEvent): void {
    const at = this.#calls.findIndex(({ seq }) => seq === this.#selected);
    const last = this.#calls.length - 1;
    const to: Record<string, () => number> = {
      ArrowDown: () => at + 1,
      ArrowUp: () => at - 1,
      PageDown: () => at + PAGE,
      PageUp: () => at - PAGE,
      Home: () => 0,
      End: () => last,
      ArrowRight: () => this.#turnFrom(at, 1),
      ArrowLeft: () => this.#turnFrom(at, -1),
    };
    const move = event.ctrlKey || event.metaKey || event.altKey ? undefined : to[event.key];
    if (move !== undefined && last >= 0) {
      event.preventDefault();
      this.select(this.#calls[Math.max(0, Math.min(last, move()))]?.seq);
    } else if (event.key === "Enter" && at >= 0) {
      event.preventDefault();
      this.#onOpen();
    } else if (event.key === "Escape") {
      this.select(undefined);
    }
  }

  /** Returns the index of the first call of the next or the previous turn. */
  #turnFrom(at: number, step: 1 | -1): number {
    const turn = this.#calls[at]?.turn ?? -1;
    const turns = [...new Set(this.#calls.map((call) => call.turn))];
    const to = turns[Math.max(0, Math.min(turns.length - 1, turns.indexOf(turn) + step))];
    return this.#calls.findIndex((call) => call.turn === to);
  }
}

/** Returns the call of a row that an event is about. */
export function seqOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>(".call") : null;
  return row === null ? undefined : Number(row.dataset["seq"]);
}

function endOf({ started, duration, look }: ShownCall, now: number): number {
  return duration === undefined ? (look === "running" ? Math.max(now, started) : started) : started + duration;
}

function byTurn(calls: readonly ShownCall[]): Map<number, ShownCall[]> {
  const turns = new Map<number, ShownCall[]>();
  for (const call of calls) {
    const own = turns.get(call.turn);
    if (own === undefined) {
      turns.set(call.turn, [call]);
    } else {
      own.push(call);
    }
  }
  return turns;
}

function spanOf(calls: readonly ShownCall[], now: number): Span {
  let from = Infinity;
  let to = 0;
  for (const call of calls) {
    from = Math.min(from, call.started);
    to = Math.max(to, endOf(call, now));
  }
  return { from, to: Math.max(to, from + 1) };
}

/** A turn and its calls. */
class TurnGroup {
  readonly #title: string;
  readonly #words = element("span", { class: "detail" });
  readonly #heading: HTMLElement;
  readonly element = element("div", { class: "turn", role: "group" });

  constructor(title: string) {
    this.#title = title;
    this.#heading = element("h2", { "aria-hidden": "true" }, element("span", { title }, title), this.#words);
  }

  update(words: string, rows: readonly HTMLElement[]): void {
    setText(this.#words, words);
    setAttribute(this.element, "aria-label", `${this.#title}, ${words}`);
    place(this.element, [this.#heading, ...rows]);
  }
}

/** A call: its name, its bar and its duration. */
class CallRow {
  readonly element: HTMLElement;
  readonly #name = element("div", { class: "name" });
  readonly #bar = element("div", { class: "bar" });
  readonly #took = element("div", { class: "took" });
  #shown = "";

  constructor(seq: number) {
    this.element = element(
      "div",
      { class: "call", id: `call-${seq}`, role: "option", "data-seq": String(seq) },
      this.#name,
      element("div", { class: "track" }, this.#bar),
      this.#took,
    );
  }

  /** @param beside the calls of its turn */
  update(call: ShownCall, { from, to }: Span, beside: readonly ShownCall[], now: number): void {
    const end = endOf(call, now);
    const left = ((call.started - from) / (to - from)) * 100;
    this.#bar.style.left = `min(${left}%, calc(100% - 3px))`;
    this.#bar.style.width = `${Math.max(0, ((end - call.started) / (to - from)) * 100)}%`;
    const took = call.look === "unknown" ? "" : span(end - call.started);
    setText(this.#took, took);
    const shown = JSON.stringify(call);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#show(call);
    }
    const others = beside.filter((other) => other !== call && other.started < end && endOf(other, now) > call.started);
    const said = [
      [call.tool, call.subject].filter((each) => each !== "").join(" "),
      call.agent === undefined ? "" : l10n.t("by {0}", call.agent),
      call.words,
      // A screen reader would say it anew every second.
      call.look === "running" ? "" : took,
      l10n.t("{0} after the first call", span(call.started - from)),
      others.length === 0
        ? ""
        : l10n.many(others.length, "at the same time as {0} other call", "at the same time as {0} other calls"),
    ];
    setAttribute(this.element, "aria-label", said.filter((each) => each !== "").join(", "));
  }

  #show({ tool, subject, look, words, depth, agent }: ShownCall): void {
    const isPlain = look === "ok" || look === "running";
    const told = [isPlain ? "" : words, agent ?? "", subject].filter((each) => each !== "").join(" · ");
    this.element.dataset["look"] = look;
    this.#name.style.paddingLeft = `${depth * 14}px`;
    this.#name.replaceChildren(mark(look), element("span", {}, tool), element("span", { class: "subject" }, told));
  }
}

/** Gives an element its children, leaving those that stay where they are. */
function place(parent: HTMLElement, children: readonly HTMLElement[]): void {
  const wanted = new Set<Element>(children);
  [...parent.children].filter((child) => !wanted.has(child)).forEach((child) => child.remove());
  children.forEach((child, index) => {
    if (parent.children[index] !== child) {
      parent.insertBefore(child, parent.children[index] ?? null);
    }
  });
}

function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

function setAttribute(node: HTMLElement, name: string, value: string): void {
  if (node.getAttribute(name) !== value) {
    node.setAttribute(name, value);
  }
}
