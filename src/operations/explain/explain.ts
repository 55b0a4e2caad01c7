import { CrawlerError, messageOf } from '../../base/errors.js';
import { grouped } from '../../base/grouped.js';
import { baseName, joinPath, parentPath } from '../../base/path.js';
import { printByteSize } from '../../base/units.js';
import { heldDeletions } from '../../crawler/scan/delete-guard.js';
import { readMetadata } from '../../crawler/scan/folder-listing.js';
import { fingerprintOf, sameFingerprint } from '../../crawler/scan/reconcile.js';
import type { SearchEngine, StoredDocument } from '../../engine/engine.js';
import type { Entry } from '../../model/entry.js';
import { reasons, type Reason } from '../../model/reason.js';
import type { FileRecord, FileState, FolderTotals } from '../../state/catalog.js';
import { selectPath, type PathSelection } from '../job/path-selection.js';
import type { Inspection } from '../job/tree-walk.js';
import type { ExplainedDocument, Explanation, PathStatus } from './explanation.js';

export interface ExplainDeps extends Inspection {
  readonly engine: () => Promise<SearchEngine>;
  /** Name of the folder's metadata file, empty when the feature is off. */
  readonly metaFilename: string;
  readonly ignoreAboveBytes: number | undefined;
  readonly extractorOf: (contentType: string) => string | undefined;
  /** The command that repairs what differs. */
  readonly repairCommand: string;
}

/** What was found out about a path, before it is put into words. */
interface Facts {
  readonly path: string;
  readonly id: string;
  readonly selection: PathSelection | { readonly kind: 'unknown'; readonly message: string };
  readonly record: FileRecord | undefined;
  readonly document: StoredDocument | undefined;
  readonly engineFault: string | undefined;
  /** Nothing that shapes its document has changed since. */
  readonly rulesFit: boolean;
}

type Answer = Pick<Explanation, 'sentence'> & { readonly standing: PathStatus; readonly reason?: Reason };

/** Says where one path stands, by asking tree, catalog and index for it alone. */
export async function explain(deps: ExplainDeps, path: string): Promise<Explanation> {
  const selection = await selectionOf(deps, path);
  if (selection.kind === 'selected' && selection.entry.kind === 'folder') return explainFolder(deps, path);
  const facts = await gather(deps, path, selection);
  const words = answerFor(deps, facts);
  const { record, document, id, engineFault } = facts;
  const entry = 'entry' in selection ? selection.entry : undefined;
  return {
    path,
    what: 'file',
    ...words,
    id,
    ...(selection.kind === 'left_out' ? { rule: { text: selection.rule, at: selection.at } } : {}),
    ...(document === undefined ? {} : { document: shown(deps, document) }),
    ...(entry === undefined ? {} : { file: { size: entry.size, modifiedMs: entry.modifiedMs } }),
    ...(record === undefined ? {} : { record: noted(record) }),
    ...(engineFault === undefined ? {} : { engineFault }),
  };
}

async function selectionOf(deps: ExplainDeps, path: string): Promise<Facts['selection']> {
  try {
    return await selectPath(deps, path);
  } catch (error) {
    if (!(error instanceof CrawlerError) || error.code === 'cancelled') throw error;
    return { kind: 'unknown', message: error.message };
  }
}

async function gather(deps: ExplainDeps, path: string, selection: Facts['selection']): Promise<Facts> {
  const { rules, catalog, signal } = deps;
  const folder = parentPath(path) ?? '';
  const id = rules.documentId(folder, baseName(path));
  const record = selection.kind === 'outside' ? undefined : catalog?.records.fileByPath(folder, baseName(path));
  const facts = { path, id, selection, record, rulesFit: await rulesFit(deps, folder, record) };
  if (selection.kind === 'outside') return { ...facts, document: undefined, engineFault: undefined };
  try {
    const document = await (await deps.engine()).get(rules.index, id, signal);
    return { ...facts, document, engineFault: undefined };
  } catch (error) {
    const engineFault = signal.aborted ? 'it does not answer.' : messageOf(error);
    return { ...facts, document: undefined, engineFault };
  }
}

async function rulesFit(deps: ExplainDeps, folder: string, record: FileRecord | undefined): Promise<boolean> {
  const { rules, source, metaFilename, signal } = deps;
  if (record?.state !== 'indexed' || record.rules === rules.fingerprint(undefined) || record.rules < 0) return true;
  if (metaFilename === '') return false;
  try {
    const entry = await source.stat(joinPath(folder, metaFilename), signal);
    return record.rules === rules.fingerprint(await readMetadata(source, entry, signal));
  } catch {
    return false;
  }
}

function answerFor(deps: ExplainDeps, facts: Facts): Answer {
  const { selection } = facts;
  switch (selection.kind) {
    case 'outside':
      return { standing: 'outside', sentence: `It is not below the root of the job, [${deps.rules.root}].` };
    case 'left_out':
      return leftOut(deps, facts, selection);
    case 'absent':
      return absent(deps, facts, selection.at);
    case 'unreadable':
      return { standing: 'failed', reason: 'unreadable', sentence: selection.message };
    case 'unknown':
      return withoutTree(facts, selection.message);
    case 'selected':
      return deps.catalog === undefined
        ? { standing: 'waiting', sentence: 'The job has not been run yet.' }
        : present(deps, facts, selection.entry);
  }
}

function leftOut(
  deps: ExplainDeps,
  { path, document }: Facts,
  selection: PathSelection & { kind: 'left_out' },
): Answer {
  const next = selection.reason === 'timed_out' ? 'it is kept.' : 'the next scan removes it.';
  const still = document === undefined ? '' : ` Its document is still in the index; ${next}`;
  const sentence = `${ruleSentence(deps, selection, selection.at === path)}${still}`;
  return { standing: 'left_out', reason: selection.reason, sentence };
}

function ruleSentence(
  { ignoreAboveBytes }: ExplainDeps,
  selection: PathSelection & { kind: 'left_out' },
  self: boolean,
): string {
  const { reason, rule, at, entry } = selection;
  if (reason === 'ignored_folder') return `The marker file [${rule}] excludes its folder and everything below it.`;
  if (reason === 'too_large' && entry !== undefined && ignoreAboveBytes !== undefined)
    return `It has ${printByteSize(entry.size)}, more than the ${printByteSize(ignoreAboveBytes)} of fs.ignore_above.`;
  const below = self ? '' : ', and so everything below it is left out';
  const subject = self ? 'it' : `the folder [${at}]`;
  if (reason === 'timed_out')
    return `Nobody can say whether ${self ? 'it' : `the folder [${at}]`} is left out: ${rule}`;
  if (reason !== 'excluded') return `${capital(reasons[reason].replace(/^it/, subject))}${below}.`;
  if (rule === 'fs.includes') return 'No pattern of fs.includes matches it.';
  return `The exclude pattern [${rule.replace(/^fs\.excludes /, '')}] matches ${subject}${below}.`;
}

function absent({ catalog, repairCommand }: ExplainDeps, { path, record, document }: Facts, at: string): Answer {
  const where = at === path ? 'There is no such file' : `There is no [${at}]`;
  if (record === undefined && document === undefined)
    return { standing: 'absent', sentence: `${where}, and the job knows of none.` };
  if (document === undefined)
    return { standing: 'gone', sentence: `${where} any more, and its document is not in the index either.` };
  if (record === undefined) {
    return {
      standing: 'gone',
      sentence: `${where} any more. There is no record of it: [${repairCommand}] removes it.`,
    };
  }
  const held = record.state === 'gone' && catalog !== undefined ? heldDeletions(catalog) : undefined;
  const how =
    held === undefined ? 'The next scan removes its document.' : `Its document stays for now: ${held.message}`;
  return { standing: 'gone', sentence: `${where} any more. ${how}` };
}

/** The tree cannot be asked: what catalog and index say. */
function withoutTree({ record, document }: Facts, message: string): Answer {
  const standing = record?.state === 'indexed' && document !== undefined ? 'indexed' : 'failed';
  const known = record === undefined ? 'The catalog does not know it' : `The catalog noted it as ${record.state}`;
  return {
    standing,
    reason: record?.reason ?? 'unavailable',
    sentence: `The tree could not be read: ${message} ${known}.`,
  };
}

function present(deps: ExplainDeps, facts: Facts, entry: Entry): Answer {
  const { record } = facts;
  switch (record?.state) {
    case undefined:
      return { standing: 'waiting', sentence: 'No scan has seen it yet.' };
    case 'sent':
      return { standing: 'waiting', sentence: 'It is queued: a scan has begun to index it.' };
    case 'gone':
      return { standing: 'waiting', sentence: 'It was gone at the last scan, and is back.' };
    case 'failed':
      return failed(record, entry);
    case 'skipped':
      return skipped(record, entry);
    case 'indexed':
      return indexed(deps, facts, record, entry);
  }
}

function failed(record: FileRecord, entry: Entry): Answer {
  const why = record.message ?? (record.reason === undefined ? '' : `${capital(reasons[record.reason])}.`);
  const changed = sameFingerprint(fingerprintOf(entry), record)
    ? ''
    : ' It has changed since, so the next scan tries it again.';
  return { standing: 'failed', ...reasonOf(record), sentence: `It could not be indexed: ${why}${changed}` };
}

/** The text decided; every other rule has been judged from the tree. */
function skipped(record: FileRecord, entry: Entry): Answer {
  if (record.reason === 'filtered' && sameFingerprint(fingerprintOf(entry), record)) {
    return {
      standing: 'left_out',
      reason: 'filtered',
      sentence: `It is left out by fs.filters. ${record.message ?? ''}`.trim(),
    };
  }
  return { standing: 'waiting', sentence: 'It was left out at the last scan, and no rule leaves it out any more.' };
}

function indexed(
  { repairCommand }: ExplainDeps,
  { document, engineFault, rulesFit: fits }: Facts,
  record: FileRecord,
  entry: Entry,
): Answer {
  if (!sameFingerprint(fingerprintOf(entry), record) && record.rules >= 0)
    return { standing: 'waiting', ...reasonOf(record), sentence: 'It has changed since it was indexed.' };
  if (!fits || record.rules === 0)
    return {
      standing: 'waiting',
      ...reasonOf(record),
      sentence: 'It is to be indexed again: settings or extractor have changed since.',
    };
  if (engineFault !== undefined)
    return {
      standing: 'missing',
      sentence: `The catalog counts it as indexed, but the search engine could not be queried: ${engineFault}`,
    };
  if (document === undefined)
    return {
      standing: 'missing',
      sentence: `It was indexed, but the index does not hold it any more. [${repairCommand}] repairs that.`,
    };
  if (record.reason === undefined) return { standing: 'indexed', sentence: 'It is in the index.' };
  const why = record.message ?? `${capital(reasons[record.reason])}.`;
  return {
    standing: 'indexed',
    reason: record.reason,
    sentence: `It is in the index, without all of its text: ${why}`,
  };
}

function explainFolder(deps: ExplainDeps, path: string): Explanation {
  const { rules, catalog } = deps;
  const folder = catalog?.records.folderByPath(path);
  const about = { path, what: 'folder', id: rules.folderId(path) } as const;
  if (folder === undefined) return { ...about, standing: 'waiting', sentence: 'No scan has seen this folder yet.' };
  if (folder.reason !== undefined)
    return {
      ...about,
      standing: 'failed',
      reason: folder.reason,
      sentence: `It could not be listed: ${reasons[folder.reason]}.`,
    };
  const below = catalog?.reports.totalsBelow(folder.id);
  return { ...about, standing: 'indexed', sentence: folderSentence(below), ...(below === undefined ? {} : { below }) };
}

const STATES: readonly (readonly [state: FileState, words: string])[] = [
  ['indexed', 'indexed'],
  ['failed', 'failed'],
  ['skipped', 'left out by rules'],
  ['sent', 'being indexed'],
  ['gone', 'gone'],
];

function folderSentence(below: FolderTotals | undefined): string {
  const counts = STATES.flatMap(([state, words]) => {
    const count = below?.states[state] ?? 0;
    return count === 0 ? [] : [`${grouped(count)} ${words}`];
  });
  return `The scans see this folder. Files in it and below: ${counts.length === 0 ? 'none' : counts.join(', ')}.`;
}

function shown({ extractorOf }: ExplainDeps, { index, source }: StoredDocument): ExplainedDocument {
  const file = source['file'] as Readonly<Record<string, unknown>> | undefined;
  const [type, limit, content] = [file?.['content_type'], file?.['indexed_chars'], source['content']];
  const contentType = typeof type === 'string' ? type : undefined;
  const characters = typeof content === 'string' ? content.length : 0;
  return {
    index,
    contentType,
    extractor: contentType === undefined ? undefined : extractorOf(contentType),
    characters,
    truncated: typeof limit === 'number' && limit >= 0 && characters >= limit && characters > 0,
  };
}

function noted({ state, size, modifiedMs, atMs, tries, retryMs }: FileRecord): NonNullable<Explanation['record']> {
  return { state, size, modifiedMs: modifiedMs === 0 ? undefined : modifiedMs, atMs, tries, retryMs };
}

function reasonOf({ reason }: FileRecord): { readonly reason?: Reason } {
  return reason === undefined ? {} : { reason };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
