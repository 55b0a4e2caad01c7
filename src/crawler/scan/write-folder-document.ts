import { CrawlerError, messageOf } from '../../base/errors.js';
import { parentPath } from '../../base/path.js';
import { buildFolderDocument } from '../../ingest/folder-document.js';
import type { Entry } from '../../model/entry.js';
import type { FolderRecord } from '../../state/catalog.js';
import { writeAll, type ScanContext } from './scan-context.js';

/**
 * Sends the folder's document when it is new or the folder has changed. Resolves as soon as it is under way, with a promise
 * for the engine's answer: false when there was none, which also ends the scan.
 */
export async function writeFolderDocument(
  context: ScanContext,
  folder: FolderRecord,
  entry: Entry,
): Promise<{ readonly answered: Promise<boolean> }> {
  const { rules, writer, port, source, signal } = context;
  const changedMs = entry.modifiedMs ?? 1;
  if (rules.folderIndex === undefined || folder.documentMs === changedMs) {
    return { answered: Promise.resolve(true) };
  }
  const attributes = rules.withAttributes
    ? await source.attributes(entry, rules.withAcl, signal).catch(() => undefined)
    : undefined;
  const place = {
    real: entry.path,
    virtual: rules.virtualPath(entry.path),
    root: rules.folderId(parentPath(entry.path) ?? ''),
  };
  const document = buildFolderDocument(entry, place, attributes);
  // The record is only written when the engine has the document.
  const answered = writeAll(context, [
    { kind: 'index', index: rules.folderIndex, id: rules.folderId(entry.path), document },
  ])
    .then(([outcome]) => {
      if (outcome?.ok === true) writer.add({ kind: 'folder_document', folderId: folder.id, documentMs: changedMs });
      else
        port.log(
          'warn',
          `The folder document of [${entry.path}] was refused: ${outcome?.ok === false ? outcome.message : ''}`,
        );
      return true;
    })
    .catch((error: unknown) => {
      context.fail(
        error instanceof CrawlerError ? error : new CrawlerError('unavailable', messageOf(error), { cause: error }),
      );
      return false;
    });
  return { answered };
}
