/** Exit code of the process that copies a database when a disk does not take what it writes. */
export const NO_SPACE = 28;
