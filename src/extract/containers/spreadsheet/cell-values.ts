/** What a cell shows that holds an error. */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
]);

export function booleanOrError(value: number, isError: boolean): string {
  if (isError) return ERRORS.get(value) ?? '#ERROR';
  return value === 0 ? 'FALSE' : 'TRUE';
}

/** A number packed into 32 bits: an integer or the upper bits of a double, possibly times 100. */
export function unpackRk(packed: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(4, packed & 0xfffffffc, true);
  const value = (packed & 2) === 0 ? view.getFloat64(0, true) : packed >> 2;
  return (packed & 1) === 0 ? value : value / 100;
}
