/** A complete listing of a folder without its entries: enough to tell that the folder is as it was. */
export interface ListingSummary {
  /** As `ListingDigest.value` gives it. */
  readonly digest: string;
  readonly entries: number;
  readonly holdsFolders: boolean;
}

/** Another thread that lists some of the folders of a scan while the scan lists the others. */
export interface SharedListing {
  /** Entries that a scan has listed before it is worth while. */
  readonly minEntries: number;
  /** Undefined where there is no such thread (any more). */
  share(folders: readonly string[]): SharedFolders | undefined;
}

/**
 * Folders that two threads go through: the scan from the front, the other one from the back, until they meet. Each folder is
 * listed by one of them.
 */
export interface SharedFolders {
  /** Whether the scan is to list it. If not, so it is with all behind it. */
  claim(at: number): boolean;
  /**
   * Resolves when the other thread has listed its folders; a thread that dies has listed none. Undefined in the place of a folder
   * that the scan is to list after all.
   */
  listed(): Promise<readonly (ListingSummary | undefined)[]>;
}
