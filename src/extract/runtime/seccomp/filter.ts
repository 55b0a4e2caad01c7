import { absentCalls, checkedCalls, deniedCalls, LAST_CALL, type Architecture, type Numbers } from './syscalls.js';

/**
 * A seccomp filter: a program for the kernel's classic BPF that decides about every system call of a process. It is a table of
 * records of 8 bytes each, so no compiler is needed.
 */
interface Instruction {
  readonly code: number;
  /** How many instructions to skip when the comparison is true, and when it is false. */
  readonly whenTrue: number;
  readonly whenFalse: number;
  readonly operand: number;
}

const INSTRUCTION_BYTES = 8;
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const JUMP_IF_GREATER = 0x25;
const JUMP_IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const FAIL = 0x0005_0000;
const EPERM = 1;
const EACCES = 13;
const ENOSYS = 38;

/** Offsets in what the filter sees of a call. Of an argument it loads the lower half: both architectures are little endian. */
const NUMBER_OFFSET = 0;
const ARCHITECTURE_OFFSET = 4;
const ARGUMENTS_OFFSET = 16;
const ARGUMENT_BYTES = 8;

const AUDIT_ARCHITECTURE = { x64: 0xc000_003e, arm64: 0xc000_00b7 } as const;
const INDEX = { x64: 0, arm64: 1 } as const;

/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, __O_TMPFILE: the same numbers on both architectures. */
const OPEN_FOR_WRITING = 0x1 | 0x2 | 0x40 | 0x200 | 0x40_0000;
const CLONE_THREAD = 0x1_0000;
/** Both put input into a terminal. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;

/** The architectures for which there is a filter. */
export function filterArchitecture(name: string): Architecture | undefined {
  return name === 'x64' || name === 'arm64' ? name : undefined;
}

/**
 * The filter of a sandbox process: no files opened for writing or changed, no sockets, no processes, no signals, and none of the
 * rarer parts of the kernel. `execve` remains, because the tool that installs the filter needs it; it leads back into the filter.
 */
export function sandboxFilter(architecture: Architecture): Buffer {
  const index = INDEX[architecture];
  const numbersOf = (calls: readonly Numbers[]): number[] =>
    calls.map((numbers) => numbers[index]).filter((number) => number >= 0);
  const { open, openat, clone, ioctl } = checkedCalls;
  const program: Instruction[] = [
    load(ARCHITECTURE_OFFSET),
    ...unless(JUMP_IF_EQUAL, AUDIT_ARCHITECTURE[architecture], [end(KILL_PROCESS)]),
    load(NUMBER_OFFSET),
    // The calls of the x32 ABI have higher numbers, too.
    ...when(JUMP_IF_GREATER, LAST_CALL, [end(FAIL | ENOSYS)]),
    ...numbersOf(absentCalls).flatMap((number) => when(JUMP_IF_EQUAL, number, [end(FAIL | ENOSYS)])),
    ...numbersOf(deniedCalls).flatMap((number) => when(JUMP_IF_EQUAL, number, [end(FAIL | EPERM)])),
    ...whenCalled(open[index], 1, when(JUMP_IF_ANY_BIT, OPEN_FOR_WRITING, [end(FAIL | EACCES)])),
    ...whenCalled(openat[index], 2, when(JUMP_IF_ANY_BIT, OPEN_FOR_WRITING, [end(FAIL | EACCES)])),
    ...whenCalled(clone[index], 0, unless(JUMP_IF_ANY_BIT, CLONE_THREAD, [end(FAIL | EPERM)])),
    ...whenCalled(ioctl[index], 1, [
      ...when(JUMP_IF_EQUAL, TIOCSTI, [end(FAIL | EPERM)]),
      ...when(JUMP_IF_EQUAL, TIOCLINUX, [end(FAIL | EPERM)]),
    ]),
    end(ALLOW),
  ];
  return encoded(program);
}

function load(offset: number): Instruction {
  return { code: LOAD_WORD, whenTrue: 0, whenFalse: 0, operand: offset };
}

function end(action: number): Instruction {
  return { code: RETURN, whenTrue: 0, whenFalse: 0, operand: action };
}

function when(code: number, operand: number, then: readonly Instruction[]): readonly Instruction[] {
  return [{ code, whenTrue: 0, whenFalse: then.length, operand }, ...then];
}

function unless(code: number, operand: number, then: readonly Instruction[]): readonly Instruction[] {
  return [{ code, whenTrue: then.length, whenFalse: 0, operand }, ...then];
}

/** Checks an argument of a call; everything that is not denied is allowed. */
function whenCalled(number: number, argument: number, checks: readonly Instruction[]): readonly Instruction[] {
  if (number < 0) return [];
  return when(JUMP_IF_EQUAL, number, [load(ARGUMENTS_OFFSET + argument * ARGUMENT_BYTES), ...checks, end(ALLOW)]);
}

function encoded(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * INSTRUCTION_BYTES);
  program.forEach(({ code, whenTrue, whenFalse, operand }, index) => {
    const at = index * INSTRUCTION_BYTES;
    bytes.writeUInt16LE(code, at);
    bytes.writeUInt8(whenTrue, at + 2);
    bytes.writeUInt8(whenFalse, at + 3);
    bytes.writeUInt32LE(operand >>> 0, at + 4);
  });
  return bytes;
}
