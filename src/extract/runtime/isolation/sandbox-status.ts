import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { entryPoint } from '../../../base/entry-points.js';
import { messageOf } from '../../../base/errors.js';
import { candidatesFor, type Candidate, type SandboxLevel } from './candidates.js';
import { probe } from './probe.js';
import type { ProgramIsolation, SandboxBackend } from './sandbox-backend.js';

/** How processes that read documents are isolated on this machine. */
export interface SandboxStatus {
  /** The first backend that works; undefined when none does. */
  readonly backend: SandboxBackend['name'] | undefined;
  /** Of the tool. */
  readonly version: string | undefined;
  /** How it isolates programs that read pictures. */
  readonly programs: ProgramIsolation | undefined;
  /** Why the backends before it cannot be used, a sentence each without a period. */
  readonly faults: readonly string[];
}

/** Starts a process with each backend until one is found that keeps it from everything it must not do. */
export async function sandboxStatus(
  level: SandboxLevel,
  candidates: readonly Candidate[] = candidatesFor(level),
): Promise<SandboxStatus> {
  const faults: string[] = [];
  for (const candidate of candidates) {
    const { backend, fault } = await tried(candidate);
    if (fault !== undefined) faults.push(`${candidate.name} cannot be used: ${fault}`);
    else if (backend !== undefined)
      return { backend: backend.name, version: versionOf(backend), programs: backend.programs, faults };
  }
  return { backend: undefined, version: undefined, programs: undefined, faults: [...new Set(faults)] };
}

async function tried(candidate: Candidate): Promise<{ readonly backend?: SandboxBackend; readonly fault?: string }> {
  try {
    const backend = candidate.open(fileURLToPath(entryPoint('sandbox')));
    if (backend === undefined) return {};
    if (backend.tool === undefined) return { backend };
    const result = await probe(backend);
    if ('fault' in result) return { fault: result.fault };
    return result.possible === '' ? { backend } : { fault: `a process could ${result.possible}` };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

function versionOf({ tool }: SandboxBackend): string | undefined {
  if (tool === undefined) return undefined;
  try {
    return /\d+(?:\.\d+)+/.exec(execFileSync(tool, ['--version'], { encoding: 'utf8' }))?.[0];
  } catch {
    return undefined;
  }
}
