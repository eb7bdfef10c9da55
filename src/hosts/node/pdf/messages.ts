/** The worker's input. */
export interface PdfWork {
  bytes: Uint8Array;
  /** Code units of text after which no further page is read. */
  maxLength: number;
}

/** The worker's messages: each page in its order, then the end. */
export type PdfReport =
  | { kind: "page"; text: string }
  | { kind: "done"; total: number }
  | { kind: "failed"; message: string };
