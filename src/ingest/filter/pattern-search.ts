/** What the thread of `fs.filters` offers. */
export interface PatternSearch {
  /** Throws `timed_out` where the pattern is not decided in time. */
  isFoundIn(pattern: string, text: string): Promise<boolean>;
}
