import { localised } from './locale.js';

/** Every word of the page. */
const numbers = new Intl.NumberFormat('en');
const plural = new Intl.PluralRules('en');

function counted(count: number, one: string, other: string): string {
  return `${numbers.format(count)} ${plural.select(count) === 'one' ? one : other}`;
}

const english = {
  search: 'Search',
  searchFor: 'Search the documents',
  clear: 'Clear',
  number: (count: number): string => numbers.format(count),
  documents: (count: number, relation: 'eq' | 'gte'): string =>
    relation === 'gte'
      ? `More than ${counted(count, 'document', 'documents')}`
      : counted(count, 'document', 'documents'),
  seconds: (ms: number): string => `${(ms / 1000).toFixed(2)} s`,
  recent: 'Changed last',
  searching: 'Searching…',
  stillSearching: 'Still searching…',
  stop: 'Stop',
  more: 'Show more',
  sort: 'Sort',
  sorts: {
    relevance: 'Relevance',
    newest: 'Newest first',
    oldest: 'Oldest first',
    indexed: 'Last indexed',
    largest: 'Largest first',
    name: 'Name',
    path: 'Path',
  } as Readonly<Record<string, string>>,
  filters: 'Filters',
  allValues: 'All values',
  filterValues: (facet = ''): string => `Find in ${facet.toLowerCase()}`,
  clearFilters: 'Clear all',
  removeFilter: (name: string, value: string): string => `Remove the filter ${name}: ${value}`,
  facets: {
    folder: 'Folder',
    type: 'Type',
    modified: 'Changed',
    size: 'Size',
    author: 'Author',
    language: 'Language',
    ext: 'Extension',
    problem: 'Text missing',
    tag: 'Tag',
    modified_from: 'Changed since',
    modified_to: 'Changed until',
    size_from: 'Size from',
    size_to: 'Size to',
  } as Readonly<Record<string, string>>,
  values: {
    '1d': 'Since yesterday',
    '7d': 'Last 7 days',
    '30d': 'Last 30 days',
    '1y': 'Last year',
    older: 'Older',
    under_100kb: 'Under 100 kB',
    '100kb_1mb': '100 kB to 1 MB',
    '1mb_10mb': '1 to 10 MB',
    '10mb_100mb': '10 to 100 MB',
    over_100mb: 'Over 100 MB',
  } as Readonly<Record<string, string>>,
  types: {
    pdf: 'PDF',
    document: 'Document',
    spreadsheet: 'Spreadsheet',
    presentation: 'Presentation',
    mail: 'Mail',
    web: 'Web page',
    text: 'Text',
    image: 'Image',
    audio: 'Audio',
    video: 'Video',
    archive: 'Archive',
    data: 'Data',
    other: 'Other',
  } as Readonly<Record<string, string>>,
  page: (page: number): string => `p. ${page}`,
  pageMarks: (page: number, marks: number): string => `p. ${page} (${numbers.format(marks)})`,
  noText: (reason: string): string => `text missing: ${reason.replaceAll('_', ' ')}`,
  upload: 'uploaded',
  nothing: 'Nothing found',
  empty: 'Nothing is indexed yet',
  emptyAdvice: 'The documents appear here as they are indexed.',
  missingWord: (word: string): string => `No document has “${word}”.`,
  meant: (query: string): string => `Did you mean “${query}”?`,
  relaxed: (change: string): string => {
    if (change === 'any') return 'With one of the words instead of all of them';
    if (change === 'prefix') return 'With words that begin so';
    const filter = change.replace('without:', '');
    return `Without the filter ${english.facets[filter] ?? filter}`;
  },
  document: 'Document',
  whyNotFound: 'Why is a file not found?',
  close: 'Close',
  original: 'Open the file',
  download: 'Download',
  copyPath: 'Copy path',
  copyFolder: 'Copy folder',
  copied: 'Copied',
  notCopied: 'The browser does not allow copying here',
  marks: (total: number, pages: number): string =>
    pages === 0
      ? counted(total, 'match', 'matches')
      : `${counted(total, 'match', 'matches')} on ${counted(pages, 'page', 'pages')}`,
  noMarks: 'No match in the text',
  previousMark: 'Previous match',
  nextMark: 'Next match',
  pageHeading: (page: number): string => `Page ${page}`,
  earlier: 'Show the text before',
  later: 'Show more of the text',
  loading: 'Loading…',
  noTextAtAll: 'The index holds no text of this document.',
  truncated: 'The index holds only the beginning of the text (fs.indexed_chars).',
  incomplete: 'Only the first 1,000,000 characters are searched for matches.',
  changed: 'The file has changed since it was indexed.',
  gone: 'This document is no longer in the index.',
  details: 'Details',
  fields: {
    path: 'Path',
    size: 'Size',
    modified: 'Changed',
    created: 'Created',
    indexed: 'Indexed',
    content_type: 'Media type',
    author: 'Author',
    language: 'Language',
  } as Readonly<Record<string, string>>,
  away: (seconds: number): string =>
    seconds > 0
      ? `The service does not answer. Next try in ${seconds} s.`
      : 'The service does not answer. Trying again…',
  tryNow: 'Try now',
  keys: 'Keys',
  theme: 'Theme',
  themes: { system: 'System', light: 'Light', dark: 'Dark' } as Readonly<Record<string, string>>,
  states: {
    RUNNING: 'Scanning',
    PAUSED: 'Paused',
    COMPLETED: 'Waiting for the next scan',
    STOPPED: 'Not crawling',
    ERROR: 'The last scan failed',
  } as Readonly<Record<string, string>>,
  triesAgain: 'waiting to try again',
  percent: (percent: number): string => `${percent} %`,
  held: 'Deletions wait for approval',
  keyTable: [
    ['/', 'to the search field'],
    ['↓ ↑ or j k', 'next, previous document of the list'],
    ['Enter', 'open the document'],
    ['Space', 'look at the document, and stay in the list'],
    ['n N', 'next, previous match in the document'],
    ['[ ]', 'previous, next document'],
    ['o', 'open the file'],
    ['d', 'download the file'],
    ['y', 'copy the path; Y: of the folder'],
    ['f', 'to the filters'],
    ['w', 'why is a file found, or not?'],
    ['g', 'to the operator’s page'],
    ['Esc', 'close the document'],
    ['?', 'this list'],
  ] as readonly (readonly [keys: string, meaning: string])[],
  useKeys: 'Keys of one character act',
  unknownParameters: 'The address holds what this page does not know. It was left out:',
  countAll: 'Count all',
  why: 'Why is it found?',
  help: 'Words must all occur. "a phrase", begin*, -not, a | b, type:pdf, in:folder, author:, after:2024, before:, name:, ext:, lang:',
};

export const text = localised(english);
