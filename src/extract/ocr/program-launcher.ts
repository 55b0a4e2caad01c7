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
type ProgramLauncher = (
  program: string,
  args: readonly string[],
  folders: readonly string[],
) => LaunchedProgram | undefined;

/** How programs that read pictures are started with fewer rights than this process. */
export interface IsolatedPrograms {
  readonly launch: ProgramLauncher;
  /** Starts Node, not another program: it can also read what the module of that path belongs to. */
  readonly launchNode: ProgramLauncher;
  /** A program for which that is not possible is not started. */
  readonly isRequired: boolean;
}

/** Why there is no engine, or a warning about the one there is. */
export function notIsolated(program: string, { isRequired }: IsolatedPrograms): string {
  return isRequired
    ? `${program} does not start in the sandbox that extractor.sandbox: strict asks for. Scripts and snaps do not: install it as a package of the system.`
    : `${program} does not start in the sandbox, as scripts and snaps do not: it reads pictures with the rights of the crawler (docs/security.md).`;
}
