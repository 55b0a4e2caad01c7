/** A page of a document whose text is recognised, counted from 1. */
export interface RecognisedPage {
  readonly page: number;
  readonly pages: number;
}
