/** A document and how long its extraction took, or has taken until now. */
export interface DocumentTime {
  /** Where the document lies, or its name. */
  readonly document: string;
  readonly elapsedMs: number;
}
