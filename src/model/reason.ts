/**
 * Why a file is not in the index, or is there without its text: a closed list. Every stage that leaves something out
 * writes one of these, and status, logs and `why` read them.
 */
export const reasons = {
  excluded: 'an exclude pattern matches it, or no include pattern does',
  ignored_folder: 'its folder holds a .crawlerignore file',
  too_large: 'it is larger than fs.ignore_above, or grew beyond a safety limit while it was unpacked',
  symlink: 'it is a symbolic link and fs.follow_symlinks is off',
  symlink_loop: 'it is a symbolic link that leads back to a folder above it',
  symlink_dangling: 'it is a symbolic link whose target does not exist',
  symlink_circular: 'it is a symbolic link that leads to itself, directly or through other links',
  special: 'it is not a regular file (socket, FIFO, device)',
  metadata_file: 'it describes its folder (.meta.yml) or a document (password file) and is not a document itself',
  filtered: 'its text does not match every pattern of fs.filters',
  unreadable: 'the file system refuses to open or list it',
  vanished: 'it disappeared while it was being read',
  unstable: 'it was still changing while it was being read',
  encrypted: 'no password opens it',
  corrupt: 'its content is damaged or not what its format demands',
  unsupported: 'no extractor supports its format',
  timed_out: 'its extraction, or matching a pattern against it, did not finish within its time limit',
  crashed: 'the extraction process crashed on it',
  invalid_metadata: 'the metadata merged into it does not fit the document',
  rejected: 'the search engine refused the document',
  unavailable: 'the source or the search engine could not be reached',
  disk_full: 'a disk that the crawler writes to is full',
  internal: 'an internal error of the program',
} as const;

export type Reason = keyof typeof reasons;

export interface Problem {
  readonly reason: Reason;
  /** One sentence for a person; names the path when it helps. */
  readonly message: string;
}
