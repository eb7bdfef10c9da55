import type { FileChange } from "../../../ports/changes.js";
import type { Image, ImageRef, JournalChange } from "./types.js";
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
export function packText(text: string): { form: Form; data: Uint8Array } {
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
  return (
    "bytes" in a &&
    "bytes" in b &&
    a.bytes.length === b.bytes.length &&
    a.bytes.every((byte, at) => byte === b.bytes[at])
  );
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
      return { kind: "delete", path, absolute, before: change.before };
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
