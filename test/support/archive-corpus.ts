import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An archive of test/corpus/archives; its README says what is in each. */
export function archiveOf(name: string): Buffer {
  return readFileSync(join('test', 'corpus', 'archives', name));
}

/** The contents of `machine.bin`: opcodes of calls and jumps, and addresses as near and far as filters like them. */
export function machineCode(): Buffer {
  const values = [0xe8, 0xe9, 0x00, 0xff, 0x10, 0x7f];
  const bytes = Buffer.alloc(4096);
  let seed = 1;
  for (let at = 0; at < bytes.length; at++) {
    seed = (seed * 48_271) % 0x7fffffff;
    bytes[at] = values[seed % values.length] ?? 0;
  }
  return bytes;
}
