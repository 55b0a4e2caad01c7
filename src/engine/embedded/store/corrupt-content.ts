/** What is read from the file is not what was written to it. The message completes "The index is damaged: …". */
export class CorruptContent extends Error {}
