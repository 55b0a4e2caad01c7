import { throwIfCancelled } from '../../base/errors.js';
import { joinPath } from '../../base/path.js';
import type { WriteOutcome } from '../../engine/engine.js';
import type { FileKey, FolderRecord, LocatedFile } from '../../state/catalog.js';
import { holdsDeletions, releaseAll } from './delete-guard.js';
import { markOtherRootsGone } from './root.js';
import { isDone, writeAll, type ScanContext } from './scan-context.js';

const PAGE = 500;

/**
 * Takes what is gone out of the index, at the end of a scan: by then every moved file has been found at its new place.
 * What the guard holds back stays. The rest is released first, so that a file found again after an interruption is not
 * taken for one whose document is still there. A record is forgotten only after the engine has confirmed the deletion, so
 * an interruption repeats, never skips.
 */
export async function removeGone(context: ScanContext): Promise<void> {
  const { catalog, writer, rules } = context;
  writer.flush();
  markOtherRootsGone(context);
  if (!rules.removeDeleted || !holdsDeletions(context)) releaseAll(catalog);
  await removeReleasedFiles(context);
  await removeReleasedFolders(context);
  writer.flush();
  catalog.batch(() => {
    for (const { folderId, name } of context.namesakes) catalog.records.reconsiderFile(folderId, name);
  });
}

async function removeReleasedFiles(context: ScanContext): Promise<void> {
  let after: LocatedFile['record'] | undefined;
  for (;;) {
    throwIfCancelled(context.signal);
    await context.gate();
    const page = context.catalog.deletions.releasedFiles(after, PAGE);
    if (page.length === 0) return;
    after = page.at(-1)?.record;
    if (context.rules.removeDeleted) await removePage(context, page);
    else
      for (const { record } of page)
        context.writer.add({ kind: 'forget', folderId: record.folderId, name: record.name });
    context.writer.flush();
  }
}

/**
 * Where files of the same name share a document, that of one of them stays as long as there is another: which is indexed again
 * by the next scan, since the document may tell of this one. Returns the names whose documents stay.
 */
export function keptForNamesakes(
  { catalog, rules, namesakes }: Pick<ScanContext, 'catalog' | 'rules' | 'namesakes'>,
  files: readonly FileKey[],
): ReadonlySet<string> {
  if (!rules.sharesIds) return new Set();
  const isOneOfThem = new Set(files.map(({ folderId, name }) => `${folderId}/${name}`));
  const others = catalog.deletions
    .namesakes(files.map(({ name }) => name))
    .filter(({ folderId, name }) => !isOneOfThem.has(`${folderId}/${name}`));
  namesakes.push(...others);
  return new Set(others.map(({ name }) => name));
}

async function removePage(context: ScanContext, files: readonly LocatedFile[]): Promise<void> {
  const { rules, port, counters, writer } = context;
  const records = files.map(({ record }) => record);
  const kept = keptForNamesakes(context, records);
  for (const { folderId, name } of records) if (kept.has(name)) writer.add({ kind: 'forget', folderId, name });
  const page = files.filter(({ record }) => !kept.has(record.name));
  const ids = page.map(({ folderPath, record }) => rules.documentId(folderPath, record.name));
  const outcomes = await writeAll(
    context,
    ids.map((id) => ({ kind: 'delete', index: rules.index, id })),
  );
  page.forEach(({ folderPath, record }, at) => {
    const outcome = outcomes[at];
    if (!isDone(outcome)) return noteRefused(context, joinPath(folderPath, record.name), outcome);
    writer.add({ kind: 'forget', folderId: record.folderId, name: record.name });
    if (outcome?.ok !== true) return;
    counters.deleted += 1;
    port.logDocument('info', `[${ids[at] ?? ''}][${rules.virtualPath(joinPath(folderPath, record.name))}] Removed`);
  });
}

async function removeReleasedFolders(context: ScanContext): Promise<void> {
  const { catalog } = context;
  for (;;) {
    throwIfCancelled(context.signal);
    const page = catalog.deletions.releasedFolders(PAGE);
    if (page.length === 0) return;
    const removed = await removeFolderDocuments(context, page);
    // What is left was refused: the next scan tries it again.
    if (removed.length === 0) return;
    catalog.batch(() => {
      for (const { id } of removed) catalog.deletions.forgetFolder(id);
    });
  }
}

/** Returns the folders that have no document any more. */
async function removeFolderDocuments(
  context: ScanContext,
  folders: readonly FolderRecord[],
): Promise<readonly FolderRecord[]> {
  const { removeDeleted, folderIndex: index } = context.rules;
  if (!removeDeleted || index === undefined) return folders;
  const outcomes = await writeAll(
    context,
    folders.map(({ path }) => ({ kind: 'delete', index, id: context.rules.folderId(path) })),
  );
  return folders.filter(({ path }, at) => {
    const outcome = outcomes[at];
    if (!isDone(outcome)) noteRefused(context, path, outcome);
    return isDone(outcome);
  });
}

/** The engine keeps the document (a read-only index): its record stays, so that the next scan tries it again. */
function noteRefused({ counters, port }: ScanContext, path: string, outcome: WriteOutcome | undefined): void {
  const why = outcome?.ok === false ? `: ${outcome.message}` : '';
  counters.failed += 1;
  counters.lastError = `The document of [${path}] cannot be removed${why}`;
  port.log('warn', counters.lastError);
}
