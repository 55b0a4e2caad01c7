/** A program to start, with its arguments. Never a shell. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

export interface IsolatedCommand extends Command {
  /**
   * What follows the descriptors of the sandbox process: open files, to be closed once it is started, or a pipe in which the
   * tool reports.
   */
  readonly descriptors: readonly (number | 'pipe')[];
}

/** What isolates another program than Node, as plain data for the broker. */
export interface ProgramIsolation {
  readonly kind: 'bubblewrap' | 'setpriv';
  readonly tool: string;
  /** bubblewrap as a user without rights. */
  readonly asUser: boolean;
  /** `extractor.sandbox: strict`: a program that cannot be isolated is not started. */
  readonly isRequired: boolean;
}

/** What keeps a sandbox process from files, programs, the network and other processes. */
export interface SandboxBackend {
  readonly name: 'bubblewrap' | 'setpriv' | 'node';
  /** The path of the program that isolates; undefined when Node does. */
  readonly tool: string | undefined;
  /** Flags without which Node does not start in it. */
  readonly startFlags: readonly string[];
  /** The permission model of Node: one more layer, against code in JavaScript. */
  readonly permissions: readonly string[];
  /** How the broker isolates programs that read pictures; undefined when it cannot. */
  readonly programs: ProgramIsolation | undefined;
  /** @param firstDescriptor the number of the first of its own descriptors */
  wrap(command: Command, firstDescriptor: number): IsolatedCommand;
  /**
   * Checks a process that has started and has not been sent any document.
   * @param pid of the process that was started
   * @param report what the tool has reported
   */
  inspect(pid: number, report: string): Inspection;
}

export interface Inspection {
  /** The process that extracts, as this one sees it; the tool may be its parent. */
  readonly pid: number;
  /** Why it is not isolated; undefined when it is. */
  readonly fault: string | undefined;
}
