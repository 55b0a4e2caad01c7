/** Candidate passwords for a document. Values are never logged and never leave the process but to the extractor. */
export interface PasswordProvider {
  readonly type: string;
  /** Ordered candidates for the document at `path` (full path in the source). Never throws: a bad sidecar is a warning. */
  candidates(path: string): Promise<readonly string[]>;
}
