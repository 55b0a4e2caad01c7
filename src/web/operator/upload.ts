import { ask, pageHeader, uploadAddress, ApiFault } from '../api.js';
import type { UploadAnswer } from '../operator-api.js';
import { words } from '../text/operator.js';

export type UploadState = 'waiting' | 'asks' | 'sending' | 'working' | 'indexed' | 'warning' | 'failed' | 'cancelled';

/** One file and what became of it. */
export interface Upload {
  readonly key: number;
  readonly name: string;
  readonly state: UploadState;
  /** Of what was sent. */
  readonly percent: number;
  readonly message: string;
}

/** Everything that ends an upload, for better or worse. */
export function isOver({ state }: Upload): boolean {
  return state === 'indexed' || state === 'warning' || state === 'failed' || state === 'cancelled';
}

type Change = Partial<Omit<Upload, 'key' | 'name'>>;

/** Whether an upload of this name would replace a document. */
export async function isKnown(name: string): Promise<boolean> {
  try {
    await ask('_document', new URLSearchParams({ filename: name }));
    return true;
  } catch (error) {
    if (error instanceof ApiFault && error.status === 404) return false;
    throw error;
  }
}

/** Sends a file. Only XMLHttpRequest says how much of it has left. */
export function sendFile(file: File, signal: AbortSignal, change: (change: Change) => void): Promise<void> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const end = (state: UploadState, message = ''): void => {
      change({ state, message });
      resolve();
    };
    request.upload.onprogress = ({ loaded, total }) => change({ percent: Math.floor((loaded / total) * 100) });
    request.upload.onload = () => change({ state: 'working' });
    request.onload = () => end(...outcomeOf(request));
    request.onerror = () => end('failed', words.broken);
    request.onabort = () => end('cancelled');
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    form.append('file', file, file.name);
    request.open('POST', uploadAddress);
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader(...pageHeader);
    change({ state: 'sending', percent: 0 });
    request.send(form);
  });
}

function outcomeOf({ responseText }: XMLHttpRequest): [UploadState, string] {
  try {
    const { ok, message, warning } = JSON.parse(responseText) as UploadAnswer;
    if (!ok) return ['failed', message ?? ''];
    return warning === undefined ? ['indexed', ''] : ['warning', warning];
  } catch {
    return ['failed', words.broken];
  }
}

/** All files that were dropped, also those in folders. */
export async function droppedFiles(items: DataTransferItemList): Promise<readonly File[]> {
  // What the items hold is there only until the first pause.
  const dropped = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = dropped.map(({ entry, file }) => {
    if (entry !== null) return filesBelow(entry);
    return Promise.resolve(file === null ? [] : [file]);
  });
  return (await Promise.all(found)).flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry.isFile)
    return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  for (;;) {
    // A folder is read in parts, until there is an empty one.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return files;
    for (const each of part) files.push(...(await filesBelow(each)));
  }
}
