import { nodeFlags } from './node-flags.js';
import { programPaths } from './readable-paths.js';
import type { Command, Inspection, IsolatedCommand, SandboxBackend } from './sandbox-backend.js';

/** Node's permission model alone, where the system offers nothing else. */
export class NodePermissions implements SandboxBackend {
  readonly name = 'node';
  readonly tool = undefined;
  readonly startFlags = [];
  readonly programs = undefined;
  readonly permissions: readonly string[];

  constructor(module: string) {
    this.permissions = nodeFlags(programPaths(module));
  }

  wrap(command: Command): IsolatedCommand {
    return { ...command, descriptors: [] };
  }

  inspect(pid: number): Inspection {
    return { pid, fault: undefined };
  }
}
