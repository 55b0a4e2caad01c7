import { Bubblewrap } from './bubblewrap.js';
import { findTool } from './find-tool.js';
import { NodePermissions } from './node-permissions.js';
import type { SandboxBackend } from './sandbox-backend.js';
import { isCapable, Setpriv } from './setpriv.js';

/** `extractor.sandbox` */
export type SandboxLevel = 'strict' | 'best' | 'off';

/** A backend that may work here. */
export interface Candidate {
  readonly name: SandboxBackend['name'];
  /**
   * Undefined when the tool is too old.
   * @param module the sandbox program
   * @throws Error when it cannot be used
   */
  open(module: string): SandboxBackend | undefined;
}

/** The best first. Windows has none: how processes are joined there was never tried. */
export function candidatesFor(level: SandboxLevel): readonly Candidate[] {
  if (level === 'off' || process.platform === 'win32') return [];
  const isRequired = level === 'strict';
  const withTools = process.platform === 'linux' ? [...bubblewraps(isRequired), ...setprivs(isRequired)] : [];
  return isRequired ? withTools : [...withTools, { name: 'node', open: (module) => new NodePermissions(module) }];
}

/** For root there are two ways: the first one needs its capabilities, which a container may lack. */
function bubblewraps(isRequired: boolean): readonly Candidate[] {
  const program = findTool('bwrap');
  if (program === undefined) return [];
  const ways = process.geteuid?.() === 0 ? [false, true] : [true];
  return ways.map((asUser) => ({
    name: 'bubblewrap',
    open: (module) => new Bubblewrap({ program, module, asUser, isRequired }),
  }));
}

function setprivs(isRequired: boolean): readonly Candidate[] {
  const program = findTool('setpriv');
  if (program === undefined) return [];
  return [
    {
      name: 'setpriv',
      open: (module) => (isCapable(program) ? new Setpriv(program, module, isRequired) : undefined),
    },
  ];
}
