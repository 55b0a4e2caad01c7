/** What a level of a document is called and where it stands: the document itself, or a part inside it. */
export interface Level {
  readonly name: string;
  readonly depth: number;
  /** Names of the levels above and of this one, as in `/mail.eml/report.zip/a.txt`; empty for the document itself. */
  readonly path: string;
}
