/** The user's approvals of documents that make an agent act, by workspace path and exact text. */
export interface ApprovedDocuments {
  isApproved(document: string, text: string): Promise<boolean>;
  /** Records that the user approved this text. @throws ToolError `unavailable` if the state cannot be stored */
  approve(document: string, text: string): Promise<void>;
  /** Removes every approval of the document. */
  revoke(document: string): Promise<void>;
  /** Whether every call here comes from a person, whose own documents count as approved. */
  readonly byOwner: boolean;
  /** Whether nothing can be approved here, because an agent started the command line. */
  readonly isClosed?: boolean;
}
