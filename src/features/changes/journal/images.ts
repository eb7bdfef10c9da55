import type { FileChange } from "../../../ports/changes.js";
import type { EntryState, LargeFile } from "../../../ports/files.js";
import { LARGE } from "./limits.js";
import type { Image, ImageNow, ImageRef, JournalChange, RecordedChange } from "./types.js";
import { fileKey } from "../../../core/paths/fileKey.js";
import { hashOf } from "./blobs.js";

/** An image ready for the store. */
export interface PackedImage {
  ref: ImageRef;
  data: Uint8Array;
}

/** How a content is stored. */
export type Form = ImageRef["form"];

/** Packs a text for the store: as UTF-8, or as UTF-16 for the rare text that UTF-8 would not preserve. */
export function packText(text: string): { form: Extract<Form, "utf8" | "utf16">; data: Uint8Array } {
  if (!/\p{Surrogate}/u.test(text)) {
    return { form: "utf8", data: new TextEncoder().encode(text) };
  }
  const data = new Uint8Array(text.length * 2);
  const view = new DataView(data.buffer);
  for (let at = 0; at < text.length; at++) {
    view.setUint16(at * 2, text.charCodeAt(at), true);
  }
  return { form: "utf16", data };
}

/** Unpacks what `packText` made. */
export function unpackText(form: Form, data: Uint8Array): string {
  if (form !== "utf16") {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
  }
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const parts: string[] = [];
  for (let at = 0; at < data.byteLength; at += 2) {
    parts.push(String.fromCharCode(view.getUint16(at, true)));
  }
  return parts.join("");
}

export async function packImage(image: Image): Promise<PackedImage> {
  if ("bytes" in image) {
    return { ref: { hash: await hashOf(image.bytes), form: "bytes", size: image.bytes.byteLength }, data: image.bytes };
  }
  if ("entry" in image) {
    const [form, state] = Object.entries(image.entry)[0] as [ImageRef["form"], string | number | LargeFile];
    const stored = typeof state === "number" ? octal(state) : typeof state === "string" ? state : JSON.stringify(state);
    const data = new TextEncoder().encode(stored);
    return { ref: { hash: await hashOf(data), form, size: data.byteLength }, data };
  }
  const { form, data } = packText(image.text);
  const ref: ImageRef = {
    hash: await hashOf(data),
    form,
    size: data.byteLength,
    encoding: image.encoding,
    unsaved: image.unsaved ?? false,
  };
  return { ref, data };
}

export function unpackImage(ref: ImageRef, data: Uint8Array): Image {
  if (ref.form === "bytes") {
    return { bytes: data };
  }
  if (ref.form === "large") {
    return { entry: { large: JSON.parse(new TextDecoder().decode(data)) as LargeFile } };
  }
  if (ref.form === "link" || ref.form === "folder" || ref.form === "mode") {
    const state = new TextDecoder().decode(data);
    return { entry: { [ref.form]: ref.form === "link" ? state : parseInt(state, 8) } as EntryState };
  }
  const text = unpackText(ref.form, data);
  return { text, ...(ref.encoding !== undefined && { encoding: ref.encoding }), unsaved: ref.unsaved ?? false };
}

/** Whether two images have the same content, whatever their encoding and whether they are saved. */
export function sameImage(a: Image | undefined, b: Image | undefined): boolean {
  if (a === undefined || b === undefined) {
    return a === b;
  }
  if ("text" in a && "text" in b) {
    return a.text === b.text;
  }
  if ("entry" in a && "entry" in b) {
    return sameEntry(a.entry, b.entry);
  }
  return (
    "bytes" in a &&
    "bytes" in b &&
    a.bytes.length === b.bytes.length &&
    a.bytes.every((byte, at) => byte === b.bytes[at])
  );
}

/** Whether two entries are the same. The modes of folders and large files do not count: they are changes of their own. */
function sameEntry(a: EntryState, b: EntryState): boolean {
  return (
    ("folder" in a && "folder" in b) ||
    ("link" in a && "link" in b && a.link === b.link) ||
    ("large" in a && "large" in b && a.large.sha256 === b.large.sha256 && a.large.size === b.large.size) ||
    ("mode" in a && "mode" in b && a.mode === b.mode)
  );
}

/** Whether an image is what is at a path now. */
export function isNow(image: Image | undefined, now: ImageNow | undefined): boolean {
  return image !== undefined && "entry" in image && "mode" in image.entry
    ? now?.mode === image.entry.mode
    : sameImage(image, now);
}

/** Returns permission bits as people write them: `755`. */
export function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}

/** Whether two images have the same content and, as far as both state it, the same encoding. */
export function sameEncoded(a: Image | undefined, b: Image | undefined): boolean {
  return sameImage(a, b) && (encodingOf(a) ?? encodingOf(b)) === (encodingOf(b) ?? encodingOf(a));
}

function encodingOf(image: Image | undefined): string | undefined {
  return image !== undefined && "text" in image ? image.encoding : undefined;
}

/**
 * Returns an image as it will be in a file: a byte order mark at the start of the text becomes part of the encoding.
 */
export function asWritten(image: Image): Image {
  return "text" in image && image.text.startsWith("\uFEFF") && (image.encoding ?? "utf8") === "utf8"
    ? { ...image, text: image.text.slice(1), encoding: "utf8bom" }
    : image;
}

/** Whether two images in the journal have the same content. */
export function sameRef(a: ImageRef | undefined, b: ImageRef | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.hash === b.hash && a.form === b.form;
}

/** Returns a change in the form the journal records before it is made. */
export function journalChange(change: FileChange): JournalChange {
  const { path } = change.at;
  const absolute = fileKey(change.at);
  switch (change.kind) {
    case "create":
      return { kind: "create", path, absolute, after: change.content };
    case "replace":
      return { kind: "replace", path, absolute, before: change.before, after: { ...change.before, text: change.text } };
    case "overwrite":
      return { kind: "replace", path, absolute, before: change.before, after: change.content };
    case "delete":
      return {
        ...{ kind: "delete", path, absolute, before: change.before },
        ...(change.mode !== undefined && { mode: change.mode }),
      };
    case "entry": {
      const { before, after } = change;
      return {
        kind: before === undefined ? "create" : after === undefined ? "delete" : "replace",
        path,
        absolute,
        ...(before !== undefined && { before: { entry: before } }),
        ...(after !== undefined && { after: { entry: after } }),
      };
    }
    case "move": {
      const after =
        change.text !== undefined && "text" in change.before ? { ...change.before, text: change.text } : change.before;
      return {
        kind: "move",
        path,
        absolute,
        to: change.to.path,
        toAbsolute: fileKey(change.to),
        before: change.before,
        after,
      };
    }
  }
}

/** Returns the number of bytes above which files are compared by their hash, as images of changes are; undefined if none is. */
export function largeOf(...changes: readonly Pick<RecordedChange, "before" | "after">[]): number | undefined {
  return changes.some(({ before, after }) => before?.form === "large" || after?.form === "large") ? LARGE : undefined;
}
