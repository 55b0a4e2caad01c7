import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, test } from '@jest/globals';
import { CrawlerError } from '../../../src/base/errors.js';
import { RpcPeer, type WireMessage } from '../../../src/base/rpc.js';

interface Library {
  lend(title: string, days: number): Promise<{ readonly title: string; readonly days: number }>;
  refuse(reason: string): Promise<never>;
  note(line: string): void;
}

class Shelves implements Library {
  readonly lines: string[] = [];

  lend(title: string, days: number): Promise<{ title: string; days: number }> {
    return Promise.resolve({ title, days });
  }

  refuse(reason: string): Promise<never> {
    const cause = new Error('The disk says no.');
    return Promise.reject(new CrawlerError('denied', reason, { subject: '/shelf', cause }));
  }

  note(line: string): void {
    this.lines.push(line);
  }
}

const channels: MessageChannel[] = [];
afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
});

/** Two sides that speak over a real channel, so that everything is cloned as it is between threads. */
function connect(): {
  shelves: Shelves;
  reader: RpcPeer<object, Library>;
  library: RpcPeer<Library, object>;
  posts: () => number;
} {
  const channel = new MessageChannel();
  channels.push(channel);
  let posts = 0;
  const shelves = new Shelves();
  const reader = new RpcPeer<object, Library>(
    (batch) => {
      posts += 1;
      channel.port1.postMessage(batch);
    },
    { note: true },
  );
  const library = new RpcPeer<Library, object>((batch) => channel.port2.postMessage(batch), {});
  library.serve(shelves);
  channel.port1.on('message', (batch: readonly WireMessage[]) => reader.receive(batch));
  channel.port2.on('message', (batch: readonly WireMessage[]) => library.receive(batch));
  return { shelves, reader, library, posts: () => posts };
}

describe('calls across a thread border', () => {
  test('reach the methods of an object and bring back their answers', async () => {
    const { reader } = connect();
    expect(await reader.remote.lend('Moby Dick', 14)).toEqual({ title: 'Moby Dick', days: 14 });
  });

  test('an error keeps its code, sentence, subject and the message of its cause', async () => {
    const { reader } = connect();
    const error = await reader.remote.refuse('The shelf is closed.').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CrawlerError);
    expect(error).toMatchObject({
      code: 'denied',
      message: 'The shelf is closed.',
      subject: '/shelf',
      cause: 'The disk says no.',
    });
  });

  test('notes arrive before the call that follows them, and many small ones share a post', async () => {
    const { reader, shelves, posts } = connect();
    for (let at = 0; at < 50; at += 1) reader.remote.note(String(at));
    await reader.remote.lend('Emma', 1);
    expect(shelves.lines).toEqual(Array.from({ length: 50 }, (_, at) => String(at)));
    expect(posts()).toBe(1);
  });

  test('what is open when the other side is lost fails with the reason, and so does what follows', async () => {
    const { reader } = connect();
    const lost = new CrawlerError('internal', 'The thread died.');
    const open = reader.remote.lend('Emma', 1);
    reader.close(lost);
    await expect(open).rejects.toBe(lost);
    await expect(reader.remote.lend('Emma', 1)).rejects.toBe(lost);
  });

  test('a request that cannot be copied fails alone: the others of its batch arrive', async () => {
    const { reader, shelves } = connect();
    reader.remote.note('before');
    const wrong = reader.remote.lend((() => 'Emma') as unknown as string, 1);
    const right = reader.remote.lend('Emma', 1);
    await expect(wrong).rejects.toMatchObject({
      code: 'corrupt',
      message: expect.stringMatching(/^The request cannot be read: /),
    });
    expect(await right).toEqual({ title: 'Emma', days: 1 });
    expect(shelves.lines).toEqual(['before']);
  });

  test('an answer that cannot be copied is an error of its call', async () => {
    const { reader, shelves } = connect();
    shelves.lend = () => Promise.resolve({ title: (() => 'Emma') as unknown as string, days: 1 });
    await expect(reader.remote.lend('Emma', 1)).rejects.toMatchObject({ code: 'internal' });
  });

  test('both sides number the calls alike', async () => {
    const numbers: number[] = [];
    const { reader, shelves, library } = connect();
    shelves.lend = (title, days) => {
      numbers.push(library.answering);
      return Promise.resolve({ title, days });
    };
    const lent = ['Emma', 'Moby Dick'].map((title) => {
      const answer = reader.remote.lend(title, 1);
      return { answer, number: reader.lastCall };
    });
    await Promise.all(lent.map(({ answer }) => answer));
    expect(numbers).toEqual(lent.map(({ number }) => number));
    expect(numbers).toEqual([1, 2]);
  });

  test('a stub is no promise: it can be returned from an async function', async () => {
    const { reader } = connect();
    const remote = await Promise.resolve(reader.remote);
    expect(await remote.lend('Emma', 1)).toEqual({ title: 'Emma', days: 1 });
  });

  test('a contract is checked when it is compiled', () => {
    const { reader } = connect();
    // @ts-expect-error There is no such method.
    expect(typeof reader.remote.borrow).toBe('function');
    // @ts-expect-error A note that is not listed would be a call that nobody answers.
    expect(new RpcPeer<object, Library>(() => undefined, {})).toBeInstanceOf(RpcPeer);
    // @ts-expect-error What is answered is answered later: a method that returns a value at once is neither call nor note.
    expect(new RpcPeer<object, { size(): number }>(() => undefined, { size: true })).toBeInstanceOf(RpcPeer);
  });
});
