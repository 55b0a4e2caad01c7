/** A document and how long its extraction took, or has taken until now. */
export interface DocumentTime {
  /** Where the document lies, or its name. */
  readonly document: string;
  readonly elapsedMs: number;
  /** The page whose text is being recognised, and how many pages there are; left out where nothing is. */
  readonly page?: number;
  readonly pages?: number;
}
