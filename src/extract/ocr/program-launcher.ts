/** A program as it is to be started. */
export interface LaunchedProgram {
  readonly file: string;
  readonly args: readonly string[];
  /** Files that it inherits after standard error. They are closed here once it is started. */
  readonly descriptors: readonly number[];
}

/**
 * Starts a program that reads pictures with fewer rights than this process. Undefined: it cannot.
 * @param program absolute path
 * @param folders what it must be able to read beside its libraries
 */
export type ProgramLauncher = (
  program: string,
  args: readonly string[],
  folders: readonly string[],
) => LaunchedProgram | undefined;
