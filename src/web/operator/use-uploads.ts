import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiFault } from '../api.js';
import { text } from '../text/en.js';
import { isKnown, isOver, sendFile, type Upload, type UploadState } from './upload.js';

/** So many files at once; the browser has six connections for everything. */
const AT_ONCE = 3;

export interface Uploads {
  readonly list: readonly Upload[];
  readonly add: (files: readonly File[]) => void;
  /** Answer to whether a document of the same name is to be replaced. */
  readonly decide: (key: number, replace: boolean) => void;
  readonly cancel: () => void;
  /** Forgets what is over. */
  readonly clear: () => void;
}

interface Job {
  readonly file: File;
  /** A person has allowed to replace what is there. */
  mayReplace: boolean;
}

/** Sends files one after the other, and keeps what became of each. */
export function useUploads(): Uploads {
  const [list, setList] = useState<readonly Upload[]>([]);
  const queue = useRef(new UploadQueue(setList)).current;
  useEffect(() => () => queue.cancel(), [queue]);
  return {
    list,
    add: (files) => queue.add(files),
    decide: (key, replace) => queue.decide(key, replace),
    cancel: () => queue.cancel(),
    clear: () => queue.clear(),
  };
}

class UploadQueue {
  readonly #show: (list: readonly Upload[]) => void;
  readonly #jobs = new Map<number, Job>();
  /** Names that were sent or are on their way: the second of a name would replace the first. */
  readonly #names = new Set<string>();
  #list: readonly Upload[] = [];
  #control = new AbortController();
  #running = 0;
  #next = 1;

  constructor(show: (list: readonly Upload[]) => void) {
    this.#show = show;
  }

  add(files: readonly File[]): void {
    const added = files.map((file): Upload => {
      const key = this.#next++;
      this.#jobs.set(key, { file, mayReplace: false });
      return { key, name: file.name, state: 'waiting', percent: 0, message: '' };
    });
    this.#set([...this.#list, ...added]);
    this.#proceed();
  }

  decide(key: number, replace: boolean): void {
    const job = this.#jobs.get(key);
    if (job !== undefined) job.mayReplace = replace;
    this.#change(key, { state: replace ? 'waiting' : 'cancelled' });
    this.#proceed();
  }

  cancel(): void {
    this.#control.abort();
    this.#control = new AbortController();
    this.#set(this.#list.map((each) => (isOver(each) ? each : { ...each, state: 'cancelled' })));
  }

  clear(): void {
    this.#set(this.#list.filter((each) => !isOver(each)));
  }

  #proceed(): void {
    while (this.#running < AT_ONCE) {
      const next = this.#list.find(({ state }) => state === 'waiting');
      if (next === undefined) return;
      this.#running += 1;
      this.#change(next.key, { state: 'sending' });
      void this.#send(next.key).then(() => {
        this.#running -= 1;
        this.#proceed();
      });
    }
  }

  async #send(key: number): Promise<void> {
    const job = this.#jobs.get(key);
    const { signal } = this.#control;
    if (job === undefined) return;
    try {
      const { file, mayReplace } = job;
      const isTaken = !mayReplace && (this.#names.has(file.name) || (await isKnown(file.name)));
      if (signal.aborted) return;
      if (isTaken) return this.#change(key, { state: 'asks' });
      this.#names.add(file.name);
      await sendFile(file, signal, (change) => this.#change(key, change));
    } catch (error) {
      const message = error instanceof ApiFault && error.message !== '' ? error.message : text.away(0);
      this.#change(key, { state: 'failed' satisfies UploadState, message });
    }
  }

  #change(key: number, change: Partial<Upload>): void {
    this.#set(this.#list.map((each) => (each.key === key ? { ...each, ...change } : each)));
  }

  #set(list: readonly Upload[]): void {
    this.#list = list;
    this.#show(list);
  }
}
