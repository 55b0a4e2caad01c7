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
import type { JobPlace } from '../job/job-place.js';
import { judgePath, type PathVerdict } from '../job/path-verdict.js';
import { readCatalog } from '../job/read-catalog.js';
import { refuse, type CrawledDocument, type OpenOriginal, type OriginalRefusal, type Originals } from './originals.js';

/**
 * Opens files of a job's tree for people who have found their documents. A file is shown only if the next scan would index
 * it: the rules of today decide, also about documents that were indexed under others.
 */
export async function openOriginals({ settings, jobDirectory, logger }: Omit<JobPlace, 'signal'>): Promise<Originals> {
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

  async open({ id, path }: CrawledDocument, signal: AbortSignal): Promise<OpenOriginal | OriginalRefusal> {
    const { rules } = this.#tree;
    const folder = parentPath(path);
    if (folder === undefined || !isWithin(rules.root, path) || rules.documentId(folder, baseName(path)) !== id) {
      return refuse('outside');
    }
    const verdict = await this.#judge(path, signal);
    switch (verdict.kind) {
      case 'selected':
        return await this.#openFile(path, verdict.entry);
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

  async #judge(path: string, signal: AbortSignal): Promise<PathVerdict> {
    const { rules, source, jobDirectory } = this.#tree;
    const catalog = readCatalog(jobDirectory);
    try {
      return await judgePath({ rules, source, catalog, signal }, path);
    } finally {
      catalog?.close();
    }
  }

  /** What was opened must be what was judged: between the two a folder may have become a link, or a file another one. */
  async #openFile(path: string, judged: Entry): Promise<OpenOriginal | OriginalRefusal> {
    const { rules, followSymlinks } = this.#tree;
    const file = new ContainedFile(rules.root, path);
    try {
      const entry = await file.stat(path);
      const isJudged = entry.inode === judged.inode && entry.device === judged.device;
      const isInPlace = followSymlinks || file.realPath === (await this.#placeOf(path));
      if (judged.kind !== 'file' || !isJudged || !isInPlace) {
        await file.close();
        return refuse('gone');
      }
      return {
        kind: 'open',
        size: entry.size,
        modifiedMs: entry.modifiedMs ?? 0,
        read: (start, end) => file.readRange(start, end),
        close: () => file.close(),
      };
    } catch (error) {
      await file.close();
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
