import { throwIfCancelled } from '../../base/errors.js';
import { joinPath } from '../../base/path.js';
import type { LocatedFile } from '../../state/catalog.js';
import { holdsDeletions, releaseAll } from './delete-guard.js';
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
  if (!rules.removeDeleted || !holdsDeletions(context)) releaseAll(catalog);
  await removeReleasedFiles(context);
  await removeReleasedFolders(context);
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

async function removePage(context: ScanContext, page: readonly LocatedFile[]): Promise<void> {
  const { rules, port, counters, writer } = context;
  const ids = page.map(({ folderPath, record }) => rules.documentId(folderPath, record.name));
  const outcomes = await writeAll(
    context,
    ids.map((id) => ({ kind: 'delete', index: rules.index, id })),
  );
  page.forEach(({ folderPath, record }, at) => {
    const outcome = outcomes[at];
    if (!isDone(outcome)) return;
    writer.add({ kind: 'forget', folderId: record.folderId, name: record.name });
    if (outcome?.ok !== true) return;
    counters.deleted += 1;
    port.logDocument('info', `[${ids[at] ?? ''}][${rules.virtualPath(joinPath(folderPath, record.name))}] Removed`);
  });
}

async function removeReleasedFolders(context: ScanContext): Promise<void> {
  const { catalog, rules } = context;
  for (;;) {
    throwIfCancelled(context.signal);
    const page = catalog.deletions.releasedFolders(PAGE);
    if (page.length === 0) return;
    const folderIndex = rules.removeDeleted ? rules.folderIndex : undefined;
    if (folderIndex !== undefined) {
      await writeAll(
        context,
        page.map(({ path }) => ({ kind: 'delete', index: folderIndex, id: rules.folderId(path) })),
      );
    }
    catalog.batch(() => {
      for (const { id } of page) catalog.deletions.forgetFolder(id);
    });
  }
}
