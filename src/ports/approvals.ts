/** What the user approved: documents that make an agent act, by their path in the workspace and their exact text. */
export interface ApprovedDocuments {
  isApproved(document: string, text: string): Promise<boolean>;
  /** The user said yes to this text. @throws ToolError `unavailable` where the state cannot be kept */
  approve(document: string, text: string): Promise<void>;
  /** No text of the document is approved any more. */
  revoke(document: string): Promise<void>;
  /** Whether every call here is a person's own: what they write they approve. */
  readonly byOwner: boolean;
  /** Whether nothing can be approved here, whoever says yes: an agent started the command line. */
  readonly isClosed?: boolean;
}
