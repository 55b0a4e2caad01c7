import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CrawlerError } from '../../base/errors.js';
import { baseName, isWithin, joinPath, parentPath } from '../../base/path.js';
import { ScanRules } from '../../crawler/scan/scan-rules.js';
import { loadPatternEngine } from '../../crawler/scan/selection.js';
import { DocumentRules } from '../../ingest/document-rules.js';
import { readStaticMetadata } from '../../ingest/static-metadata.js';
import type { Entry } from '../../model/entry.js';
import { ContainedFile } from '../../source/local/contained-file.js';
import { openTreeSource } from '../../source/registry.js';
import type { TreeSource } from '../../source/source.js';
import type { JobContext } from '../job/job-context.js';
import { selectPath, type PathSelection } from '../job/path-selection.js';
import { readCatalog } from '../job/read-catalog.js';
import {
  refuse,
  type CrawledDocument,
  type OpenOriginal,
  type UnavailableOriginal,
  type Originals,
} from './originals.js';

/**
 * Opens files of a job's tree for people who have found their documents. A file is shown only if the next scan would index
 * it: the rules of today decide, also about documents that were indexed under others.
 */
export async function openOriginals({
  settings,
  jobDirectory,
  logger,
}: Omit<JobContext, 'signal'>): Promise<Originals> {
  if (settings.fs.provider !== 'local') return { open: () => Promise.resolve(refuse('remote')) };
  await loadPatternEngine(settings.fs);
  // What the extractor is does not matter for which files are selected.
  const rules = new ScanRules(settings, new DocumentRules(settings, readStaticMetadata(settings)), '');
  const log = (message: string): void => logger.warn(message);
  const source = await openTreeSource(settings, { configDirectory: dirname(jobDirectory), log });
  return new LocalOriginals({ rules, source, jobDirectory, followSymlinks: settings.fs.followSymlinks });
}

interface LocalTree {
  readonly rules: ScanRules;
  readonly source: TreeSource;
  readonly jobDirectory: string;
  readonly followSymlinks: boolean;
}

class LocalOriginals implements Originals {
  readonly #tree: LocalTree;

  constructor(tree: LocalTree) {
    this.#tree = tree;
  }

  async open({ id, path }: CrawledDocument, signal: AbortSignal): Promise<OpenOriginal | UnavailableOriginal> {
    const { rules } = this.#tree;
    const folder = parentPath(path);
    if (folder === undefined || !isWithin(rules.root, path) || rules.documentId(folder, baseName(path)) !== id) {
      return refuse('outside');
    }
    const selection = await this.#select(path, signal);
    switch (selection.kind) {
      case 'selected':
        return await this.#openFile(path, selection.entry);
      case 'left_out':
        return refuse('left_out');
      case 'absent':
        return refuse('gone');
      case 'outside':
        return refuse('outside');
      case 'unreadable':
        return refuse('denied');
    }
  }

  async #select(path: string, signal: AbortSignal): Promise<PathSelection> {
    const { rules, source, jobDirectory } = this.#tree;
    const catalog = readCatalog(jobDirectory);
    try {
      return await selectPath({ rules, source, catalog, signal }, path);
    } finally {
      catalog?.close();
    }
  }

  /** What was opened must be what was selected: between the two a folder may have become a link, or a file another one. */
  async #openFile(path: string, selected: Entry): Promise<OpenOriginal | UnavailableOriginal> {
    const { rules, followSymlinks } = this.#tree;
    let file: ContainedFile | undefined;
    try {
      file = await ContainedFile.open({ root: rules.root, path, asked: path });
      const { entry, realPath } = file;
      const isSelected = entry.inode === selected.inode && entry.device === selected.device;
      const isInPlace = followSymlinks || realPath === (await this.#placeOf(path));
      if (selected.kind === 'file' && isSelected && isInPlace) return openFile(file);
      await file.close();
      return refuse('gone');
    } catch (error) {
      await file?.close();
      if (!(error instanceof CrawlerError)) throw error;
      return refuse(error.code === 'not_found' ? 'gone' : 'denied');
    }
  }

  /** Where the file lies if no folder between the root and it is a link. */
  async #placeOf(path: string): Promise<string> {
    const { root } = this.#tree.rules;
    const real = await realpath(root);
    return path === root ? real : joinPath(real, path.slice(root === '/' ? 1 : root.length + 1));
  }
}

function openFile(file: ContainedFile): OpenOriginal {
  return {
    kind: 'open',
    size: file.entry.size,
    modifiedMs: file.entry.modifiedMs ?? 0,
    read: (start, end) => Promise.resolve(file.readRange(start, end)),
    close: () => file.close(),
  };
}
