/**
 * A number for people, its thousands set apart: `12,031`, `0.5`. At most three decimals. `toLocaleString` does the same and
 * loads the data of all languages for it, which takes a fifth of the time that Node needs to start.
 */
export function grouped(value: number): string {
  const [whole = '', decimals = ''] = String(Math.round(value * 1000) / 1000).split('.');
  return whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (decimals === '' ? '' : `.${decimals}`);
}
