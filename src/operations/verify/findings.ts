import type { Reason } from '../../model/reason.js';

/** What can differ between tree, catalog and index: a closed list, with the words for people. */
export const findingKinds = {
  missing: 'the catalog counts it as indexed, the index does not hold it',
  orphan: 'the index holds a document of it, the tree does not hold the file',
  unwanted: 'the index holds a document of it, a rule leaves it out',
  content: 'the text in the index is not the text of the file',
  unseen: 'no scan has taken it up yet',
  changed: 'the file has changed since it was indexed',
  outdated: 'settings or extractor have changed since it was indexed',
  gone: 'the file is gone, its document has not been removed yet',
} as const satisfies Record<string, string>;

export type FindingKind = keyof typeof findingKinds;

/** One difference, by name. */
export interface Finding {
  readonly kind: FindingKind;
  readonly path: string;
  readonly what: 'file' | 'folder';
  /** The next scan of the running crawler will see to it: not a difference, only work that is not done yet. */
  readonly pending: boolean;
  /** Of the document, where one is concerned. */
  readonly id?: string;
  /** Where the catalog keeps it. */
  readonly place?: { readonly folderId: number; readonly name: string };
  /** The scan would not notice it by itself: its folder counts as settled. */
  readonly overlooked?: boolean;
  readonly reason?: Reason;
  readonly detail?: string;
}

export interface Verification {
  readonly counts: {
    /** Files of the tree that the rules let in. */
    readonly selected: number;
    readonly bytes: number;
    /** Files that the catalog counts as indexed. */
    readonly indexed: number;
    /** Documents of this job in the index. */
    readonly documents: number;
    readonly folders: number;
    readonly folderDocuments: number;
  };
  readonly differences: Readonly<Partial<Record<FindingKind, number>>>;
  readonly pending: Readonly<Partial<Record<FindingKind, number>>>;
  /** Files that are not in the index for a reason, or are there without all of their text. */
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /** Deletions that wait for approval. */
  readonly held: number;
  /** Folders that cannot be listed: what is below them could not be compared with the tree. */
  readonly closedFolders: readonly { readonly path: string; readonly message: string }[];
  /** Files whose content was compared, and those for which that was not possible. */
  readonly deep: { readonly compared: number; readonly failed: number } | undefined;
}

export function total(counts: Readonly<Partial<Record<string, number>>>): number {
  return Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
