import { createHash } from 'node:crypto';
import { cutToBytes } from '../base/cut-to-bytes.js';

/**
 * Names of indices, by the rules that Elasticsearch, OpenSearch and the embedded index have in common, so that a job that
 * works with one of them works with all.
 */
const MAX_BYTES = 255;

/** What is wrong with the name of an index, as a sentence; undefined when nothing is. */
export function indexNameFault(name: string): string | undefined {
  if (name !== name.toLowerCase()) return `The index name [${name}] must be in lower case.`;
  return aliasNameFault(name);
}

/** The same for an alias, which may have capitals. */
export function aliasNameFault(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return `[${name}] is not a valid name for an index.`;
  if (/^[-_+]/.test(name)) return `The index name [${name}] must not begin with - _ or +.`;
  const forbidden = /[\\/*?"<>|\s,#:\p{Cc}]/u.exec(name)?.[0];
  if (forbidden !== undefined) return `The index name [${name}] must not contain [${forbidden}].`;
  if (Buffer.byteLength(name) > MAX_BYTES) return `The index name [${name}] is longer than ${MAX_BYTES} bytes.`;
  return undefined;
}

/**
 * The index that is named after a job: `<job>_docs`, `<job>_folder`, as FSCrawler has it. A job whose name is none for an
 * index gets one that is made of it: in lower case, with `_` for what is forbidden, and with eight hexadecimal digits of the
 * SHA-256 of the job's name, so that the jobs `Docs` and `docs` never share an index.
 *
 * A pure function of the name: it must not change, or jobs lose sight of their documents.
 */
export function indexOfJob(job: string, suffix: '_docs' | '_folder'): string {
  // Both indices of a job have the same stem.
  return indexNameFault(`${job}_folder`) === undefined ? job + suffix : derivedName(job) + suffix;
}

/** The alias that a cluster's index template gives to the index of a job: its name, where that can be one. */
export function aliasOfJob(job: string): string {
  return aliasNameFault(job) === undefined ? job : derivedName(job);
}

/** A name for an index that is as near as possible to one that is none. */
export function validIndexName(name: string): string {
  return cutToBytes(friendly(name), MAX_BYTES);
}

const LONGEST_SUFFIX = '_folder'.length;

function derivedName(job: string): string {
  const mark = `-${createHash('sha256').update(job).digest('hex').slice(0, 8)}`;
  return cutToBytes(friendly(job), MAX_BYTES - mark.length - LONGEST_SUFFIX) + mark;
}

function friendly(name: string): string {
  const words = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_');
  return words.replace(/^[-_.]+|[-_.]+$/g, '') || 'job';
}
