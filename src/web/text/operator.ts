import { since } from './badge.js';
import { localised } from './locale.js';

/** Every word of the operator's page. */
const numbers = new Intl.NumberFormat('en');
const plural = new Intl.PluralRules('en');
const list = new Intl.ListFormat('en');

function counted(count: number, one: string, other = `${one}s`): string {
  return `${numbers.format(count)} ${plural.select(count) === 'one' ? one : other}`;
}

const english = {
  number: (count: number): string => numbers.format(count),
  cancel: 'Cancel',
  stop: 'Stop',
  more: 'Show more',
  found: (ms: number): string => `found ${since(ms)}`,

  truth: 'Index and tree',
  truthName: {
    equal: 'Index equals tree',
    pending: 'Not certain at the moment',
    differs: 'Index differs from tree',
    unknown: 'Never checked',
  } as Readonly<Record<string, string>>,
  checkNow: 'Check now',
  seen: (files: number, documents: number): string =>
    `${counted(files, 'file')} of the tree and ${counted(documents, 'document')} of the index seen so far.`,
  checkFailed: 'The last check did not come to its end:',
  planFailed: 'The last plan did not come to its end:',
  findings: (count: number): string => `${counted(count, 'difference')} by name`,
  kinds: {
    missing: 'counted as indexed, not in the index',
    orphan: 'in the index, not in the tree',
    unwanted: 'in the index, left out by a rule',
    content: 'another text in the index',
    unseen: 'no scan has seen it yet',
    changed: 'changed since it was indexed',
    outdated: 'settings have changed since it was indexed',
    gone: 'gone, its document is still there',
  } as Readonly<Record<string, string>>,
  kind: (count: number, kind: string): string => `${numbers.format(count)} × ${english.kinds[kind] ?? kind}`,

  held: (count: number): string => `${counted(count, 'deletion')} ${count === 1 ? 'waits' : 'wait'} for approval`,
  show: 'Show them',
  hide: 'Hide them',
  approve: 'Approve…',
  approveQuestion: (count: number): string =>
    `${counted(count, 'document')} will be removed from the index. This cannot be undone.`,
  approveNow: (count: number): string => `Remove ${counted(count, 'document')}`,
  byFolder: 'Folders that held most of them',
  inFolder: (count: number): string => counted(count, 'document'),
  heldPaths: 'Files',

  crawl: 'Crawl',
  noCrawl:
    'This service does not crawl: it was started with --loop 0, or its job has no root. It takes documents and searches.',
  pause: 'Pause',
  resume: 'Resume',
  scanNow: 'Scan now',
  at: 'At',
  rate: (rate: number): string => `${numbers.format(rate)} files/s`,
  left: (time: string): string => `${time} left`,
  progress: (settled: number, total: number | null, percent: number | null): string =>
    total === null
      ? `${counted(settled, 'file')} done`
      : `${numbers.format(settled)} of ${counted(total, 'file')} (${percent ?? 0} %)`,
  next: (time: string): string => `due ${time}`,
  queues: (folders: number, extraction: number, engine: number): string =>
    `Waiting: ${list.format([
      counted(folders, 'folder'),
      `${numbers.format(extraction)} for extraction`,
      `${numbers.format(engine)} for the engine`,
    ])}.`,
  inHand: 'In hand',
  seconds: (ms: number): string => {
    if (ms < 100) return '< 0.1 s';
    return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
  },
  page: (page: number, pages: number): string => `page ${page} of ${pages}`,
  lastError: 'Last error:',
  chart: (now: number, most: number): string =>
    `${numbers.format(now)} files/s now, ${numbers.format(most)} at most in the last 30 minutes`,
  noChart: 'The rate of the last 30 minutes is shown here once the service has been up for some seconds.',
  chartTable: 'The same as a table',
  time: 'Time',
  filesPerSecond: 'Files/s',
  folders: 'Folders',
  extraction: 'Extraction',
  engineQueue: 'Engine',

  documents: 'Documents',
  states: {
    indexed: 'indexed',
    sent: 'being indexed',
    failed: 'failed',
    skipped: 'left out by rules',
    gone: 'gone',
  } as Readonly<Record<string, string>>,
  noDocuments: 'Nothing has been counted yet.',
  slowest: 'Slowest since the start',

  failures: 'Failures',
  noFailures: 'No failures. Every file that belongs in the index is there with all of its text.',
  noFailuresOfFiles: 'No file failed, but the last scan did not reach its end: files may be missing from the index.',
  noFailuresYet: 'No failures so far. The scan is running.',
  noFailuresHere: 'There are none of this reason any more.',
  allReasons: 'All',
  reason: (reason: string): string => reason.replaceAll('_', ' '),
  retry: (count: number): string => `Retry these ${numbers.format(count)}`,
  tries: (tries: number): string => (tries === 0 ? '' : `tried ${counted(tries, 'time')}`),
  partial: 'in the index without all of its text',
  again: (time: string): string => `again after ${time}`,
  nextScan: 'again at the next scan',

  plan: 'Next scan',
  planNow: 'What would it do?',
  planAdvice: 'Compares the tree with what is indexed. Nothing is written.',
  planning: (files: number): string => `${counted(files, 'file')} seen so far.`,
  changes: {
    new: 'new',
    changed: 'changed',
    outdated: 'to be indexed again: settings or extractor have changed',
    retried: 'failed before and due again',
    moved: 'moved',
    gone: 'gone',
    removed: 'now left out by a rule',
    unchanged: 'unchanged',
  } as Readonly<Record<string, string>>,
  work: (files: number, size: string): string =>
    files === 0 ? 'Nothing needs to be extracted.' : `${counted(files, 'file')} (${size}) to extract.`,
  estimate: (from: string, to: string, files: number): string =>
    `About ${from === to ? from : `${from} to ${to}`}, measured on ${counted(files, 'file')} of earlier scans.`,
  noEstimate: 'How long it takes is not known: too few files were indexed so far.',
  duration: (ms: number): string => {
    const seconds = Math.max(1, Math.round(ms / 1000));
    if (seconds < 120) return `${numbers.format(seconds)} s`;
    return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
  },
  leftOut: 'Left out',
  leftOutRow: (files: number, folders: number): string =>
    folders === 0 ? counted(files, 'file') : `${counted(files, 'file')}, ${counted(folders, 'whole folder')}`,
  closed: (count: number): string => `${counted(count, 'folder')} cannot be listed.`,

  upload: 'Add documents',
  drop: 'Drop files or folders here, or choose them.',
  choose: 'Choose files',
  uploadDone: (done: number, all: number): string => `${numbers.format(done)} of ${counted(all, 'file')} done`,
  cancelAll: 'Cancel what is left',
  clearList: 'Clear the list',
  outcomes: {
    waiting: 'waiting',
    asks: 'A document of this name is there already.',
    sending: 'sending',
    working: 'sent, is being extracted and indexed',
    indexed: 'indexed',
    warning: 'indexed, but:',
    failed: 'failed:',
    cancelled: 'cancelled',
  } as Readonly<Record<string, string>>,
  outcomeIcon: { indexed: '✔', warning: '⚠', failed: '✖', asks: '?' } as Readonly<Record<string, string>>,
  replace: 'Replace it',
  skip: 'Skip',
  broken: 'The connection was cut.',

  why: 'Why?',
  whyLabel: 'Path or name of a file',
  absentHelp:
    'Of a folder that a rule leaves out, nobody knows what is in it: ask for such a file by its path, or for the folder.',
  whyHelp: 'A path in full or below the root, or a part of a file name.',
  ask: 'Ask',
  whichFile: 'Which file?',
  moreFiles: 'There are more: give more of the name.',
  standings: {
    indexed: 'In the index',
    waiting: 'Waits for the next scan',
    left_out: 'Left out by a rule',
    failed: 'Failed',
    missing: 'Missing in the index',
    gone: 'Gone',
    absent: 'Not there',
    outside: 'Not part of the job',
  } as Readonly<Record<string, string>>,
  rule: 'Rule',
  origin: 'Written in',
  origins: { default: 'the default' } as Readonly<Record<string, string>>,
  state: (state: string): string => english.states[state] ?? state,

  stuck: 'The scan has not moved for minutes, and no document is being worked on. The log says what it did last.',
  engine: 'Engine',
  engineUp: (version: string): string => `${version} answers.`,
  engineAway: 'The search engine does not answer.',
  service: (version: string): string => `Service ${version}.`,
  settings: 'Settings (secrets are not shown)',
  metrics: 'Metrics for Prometheus',
  keyTable: [
    ['w', 'to the question why a file is found, or not'],
    ['g', 'to the search page'],
    ['?', 'this list'],
  ] as readonly (readonly [keys: string, meaning: string])[],
};

export const words = localised(english);
