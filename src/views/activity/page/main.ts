// The program of the page that shows an activity: in a window, or alone in an exported file.
import { l10n } from "../../shared/l10n.js";
import type { ExportedActivity, FromPage, ShownActivity, ShownCall, ShownTexts, ToPage } from "../protocol.js";
import { CallList, seqOf } from "./callList.js";
import { Details, Tip } from "./details.js";
import { element } from "./elements.js";
import { fill, Filter, type Chosen } from "./filter.js";

/** How long the pointer rests on a call until its texts are shown, in ms. */
const REST = 350;
/** How often running bars grow, in ms. */
const GROWTH = 1_000;

interface Host {
  postMessage(message: FromPage): void;
  getState(): Partial<Chosen> | undefined;
  setState(state: Chosen): void;
}

declare function acquireVsCodeApi(): Host;

const exported = readData<ExportedActivity>("activity");
l10n.useBundle(readData("translations") ?? {});
const host = exported === undefined ? acquireVsCodeApi() : undefined;
const texts = new Map<number, ShownTexts | null>(
  Object.entries(exported?.texts ?? {}).map(([seq, each]) => [Number(seq), each]),
);
let activity: ShownActivity = exported ?? { title: "", sessions: [], session: "", turns: [], calls: [], earlier: 0 };
let selected: ShownCall | undefined;
let pointed: { seq: number; x: number; y: number } | undefined;
let resting: ReturnType<typeof setTimeout> | undefined;

// In a window, the list of sessions says it.
const title = element("h1", host === undefined ? {} : { class: "said" });
const sessions = element("select", { class: "session", "aria-label": l10n.t("Session") });
const filter = new Filter(host?.getState() ?? {}, () => {
  host?.setState(filter.chosen());
  show();
});
const shownCount = element("span", { class: "count", role: "status" });
const save = element("button", {}, l10n.t("Export…"));
const empty = element("p", { class: "empty" });
const tip = new Tip();
const details = new Details(
  () => {
    list.select(undefined);
    list.element.focus();
  },
  () => list.element.focus(),
);
const list = new CallList(
  (call) => {
    selected = call;
    showDetails();
  },
  () => details.element.focus(),
);

document
  .getElementById("page")
  ?.append(
    element(
      "header",
      {},
      title,
      ...(host === undefined ? [] : [sessions]),
      ...filter.elements,
      shownCount,
      ...(host === undefined ? [] : [save]),
    ),
    empty,
    list.element,
    details.element,
    tip.element,
  );

sessions.addEventListener("change", () => host?.postMessage({ kind: "choose", session: sessions.value }));
save.addEventListener("click", () =>
  host?.postMessage({
    kind: "export",
    calls: activity.calls.filter((call) => filter.passes(call)).map(({ seq }) => seq),
  }),
);
list.element.addEventListener("pointermove", ({ target, clientX: x, clientY: y }) => {
  const seq = seqOf(target);
  if (seq === pointed?.seq) {
    return;
  }
  leave();
  if (seq !== undefined) {
    pointed = { seq, x, y };
    resting = setTimeout(showTip, REST);
  }
});
// A press shows the same below.
list.element.addEventListener("pointerdown", leave);
list.element.addEventListener("pointerleave", leave);
list.element.addEventListener("scroll", leave);
addEventListener("keydown", ({ key }) => key === "Escape" && leave());
addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.kind === "activity") {
    if (data.activity.session !== activity.session) {
      list.select(undefined);
    }
    // What was read while a call ran is not all.
    activity.calls.filter(({ look }) => look === "running").forEach(({ seq }) => texts.delete(seq));
    activity = data.activity;
    show();
  } else {
    texts.set(data.seq, data.texts ?? null);
    showDetails();
    if (tip.element.hidden === false) {
      showTip();
    }
  }
});
setInterval(() => list.isRunning && show(), GROWTH);
show();
host?.postMessage({ kind: "ready" });

function show(): void {
  const calls = activity.calls.filter((call) => filter.passes(call));
  title.textContent = activity.title;
  fill(
    sessions,
    [["", l10n.t("All Sessions")], ...activity.sessions.map(({ id, title: name }) => [id, name] as const)],
    activity.session,
  );
  filter.update(activity.calls);
  const all = activity.calls.length;
  shownCount.textContent =
    calls.length === all
      ? l10n.many(all, "{0} call", "{0} calls")
      : l10n.many(all, "{1} of {0} call", "{1} of {0} calls", calls.length);
  empty.textContent =
    activity.problem !== undefined
      ? activity.problem
      : activity.calls.length === 0
        ? l10n.t("No calls yet. Whatever agents do with Toolhost's tools appears here as they do it.")
        : l10n.t("No call passes the filter.");
  empty.hidden = calls.length > 0 && activity.problem === undefined;
  save.disabled = calls.length === 0;
  list.show(activity, calls, exported === undefined ? Date.now() : Date.parse(exported.exported));
}

function showDetails(): void {
  details.show(selected, selected && textsOf(selected.seq));
}

function showTip(): void {
  const call = activity.calls.find(({ seq }) => seq === pointed?.seq);
  if (pointed !== undefined && call !== undefined) {
    tip.show(call, textsOf(call.seq), pointed);
  }
}

function leave(): void {
  clearTimeout(resting);
  pointed = undefined;
  tip.hide();
}

/** Returns the texts of a call, and asks for them if they are not here yet. */
function textsOf(seq: number): ShownTexts | null | undefined {
  if (!texts.has(seq)) {
    host?.postMessage({ kind: "texts", seq });
  }
  return texts.get(seq);
}

/** Returns what the page came with. */
function readData<Data>(id: string): Data | undefined {
  const data = document.getElementById(id)?.textContent;
  return data ? (JSON.parse(data) as Data) : undefined;
}
