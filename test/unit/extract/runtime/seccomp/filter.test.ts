import { describe, expect, test } from '@jest/globals';
import { filterArchitecture, sandboxFilter } from '../../../../../src/extract/runtime/seccomp/filter.js';
import { deniedCalls, type Architecture } from '../../../../../src/extract/runtime/seccomp/syscalls.js';

interface Call {
  readonly number: number;
  readonly arguments?: readonly number[];
  readonly machine?: number;
}

const MACHINES = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const ALLOWED = 'allowed';

/** What the kernel makes of a filter: an interpreter of the instructions that it consists of. */
function decide(filter: Buffer, { number, arguments: given = [], machine = MACHINES.x64 }: Call): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number, 0);
  data.writeUInt32LE(machine, 4);
  given.forEach((value, index) => data.writeBigUInt64LE(BigInt(value), 16 + 8 * index));
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const [code, operand] = [filter.readUInt16LE(8 * at), filter.readUInt32LE(8 * at + 4)];
    const jump = (isTrue: boolean): number => filter.readUInt8(8 * at + (isTrue ? 2 : 3));
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x15) at += jump(accumulator === operand);
    else if (code === 0x25) at += jump(accumulator > operand);
    else if (code === 0x45) at += jump((accumulator & operand) !== 0);
    else if (code === 0x06) return nameOf(operand);
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter has no end');
}

function nameOf(action: number): string {
  if (action === 0x7fff_0000) return ALLOWED;
  return action === 0x8000_0000 ? 'killed' : `error ${action & 0xffff}`;
}

const EPERM = 'error 1';
const EACCES = 'error 13';
const ENOSYS = 'error 38';

describe.each<Architecture>(['x64', 'arm64'])('the filter for %s', (architecture) => {
  const filter = sandboxFilter(architecture);
  const machine = MACHINES[architecture];
  const index = architecture === 'x64' ? 0 : 1;

  test('is one that the kernel takes', () => {
    expect(filter.length % 8).toBe(0);
    expect(filter.length / 8).toBeLessThanOrEqual(4096);
  });

  test('denies every call of the list', () => {
    const numbers = deniedCalls.flatMap((each) => (each[index] >= 0 ? [each[index]] : []));
    expect(numbers.length).toBeGreaterThan(100);
    expect(new Set(numbers.map((number) => decide(filter, { number, machine })))).toEqual(new Set([EPERM]));
  });

  test('ends a process that uses the calls of another machine', () => {
    expect(decide(filter, { number: 0, machine: 0x4000_0003 })).toBe('killed');
  });

  test('knows no calls that came later', () => {
    expect(decide(filter, { number: 463, machine })).toBe(ENOSYS);
    // The calls of the x32 ABI.
    expect(decide(filter, { number: 0x4000_0000 + 41, machine })).toBe(ENOSYS);
  });
});

describe('the filter for x64', () => {
  const filter = sandboxFilter('x64');

  test.each<[string, Call, string]>([
    ['read', { number: 0 }, ALLOWED],
    ['write', { number: 1 }, ALLOWED],
    ['mmap', { number: 9 }, ALLOWED],
    ['futex', { number: 202 }, ALLOWED],
    ['execve, which the tool needs', { number: 59 }, ALLOWED],
    ['open for reading', { number: 2, arguments: [1, 0] }, ALLOWED],
    ['open for writing', { number: 2, arguments: [1, 1] }, EACCES],
    ['openat for reading', { number: 257, arguments: [1, 1, 0x8_0000] }, ALLOWED],
    ['openat for writing', { number: 257, arguments: [1, 1, 2] }, EACCES],
    ['openat with O_CREAT', { number: 257, arguments: [1, 1, 0x40] }, EACCES],
    ['openat with O_TRUNC', { number: 257, arguments: [1, 1, 0x200] }, EACCES],
    ['openat with O_TMPFILE', { number: 257, arguments: [1, 1, 0x41_0000] }, EACCES],
    ['openat2', { number: 437 }, ENOSYS],
    ['clone of a thread', { number: 56, arguments: [0x3d_0f00] }, ALLOWED],
    ['clone of a process', { number: 56, arguments: [0x11] }, EPERM],
    ['clone3', { number: 435 }, ENOSYS],
    ['ioctl', { number: 16, arguments: [0, 0x5401] }, ALLOWED],
    ['ioctl that types into a terminal', { number: 16, arguments: [0, 0x5412] }, EPERM],
    ['the same with a higher half', { number: 16, arguments: [0, 0x1_0000_5412] }, EPERM],
    ['socket', { number: 41 }, EPERM],
    ['ptrace', { number: 101 }, EPERM],
    ['process_vm_readv', { number: 310 }, EPERM],
    ['io_uring_setup', { number: 425 }, ENOSYS],
  ])('%s', (_what, call, decision) => {
    expect(decide(filter, call)).toBe(decision);
  });
});

test('there is no filter for other processors', () => {
  expect(['x64', 'arm64', 'ppc64', 'riscv64'].map(filterArchitecture)).toEqual(['x64', 'arm64', undefined, undefined]);
});
