import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { CrawlerError } from '../../../src/base/errors.js';
import { ConnectionPool, type PooledConnection } from '../../../src/source/connection-pool.js';

/** A connection that does as the test says. */
class Wire implements PooledConnection {
  alive = true;
  closed = false;
  resting = false;
  readonly number: number;

  constructor(number: number) {
    this.number = number;
  }

  rest(): void {
    this.resting = true;
  }

  wake(): void {
    this.resting = false;
  }

  close(): void {
    this.alive = false;
    this.closed = true;
  }
}

const never = new AbortController().signal;
const wires: Wire[] = [];
let pool: ConnectionPool<Wire>;

afterEach(() => {
  pool.close();
  wires.length = 0;
});

/** `allowed`: how many connections the server bears. */
function open(size: number, allowed = Infinity): ConnectionPool<Wire> {
  pool = new ConnectionPool({
    size,
    open: async () => {
      await turn();
      if (wires.filter(({ alive }) => alive).length >= allowed) throw new CrawlerError('unavailable', 'too many users');
      const wire = new Wire(wires.length + 1);
      wires.push(wire);
      return wire;
    },
  });
  return pool;
}

function unavailable(): CrawlerError {
  return new CrawlerError('unavailable', 'the connection broke off');
}

test('work side by side gets connections of its own, later work those that lie idle', async () => {
  open(3);
  const numbers = await Promise.all([1, 2].map(() => pool.use(never, (wire) => turn(wire.number))));
  expect(numbers).toEqual([1, 2]);
  expect(wires.map(({ resting }) => resting)).toEqual([true, true]);
  expect(await pool.use(never, (wire) => Promise.resolve(wire.resting))).toBe(false);
  expect(wires).toHaveLength(2);
});

test('who finds all connections busy waits, in order', async () => {
  open(1);
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((each) => pool.use(never, () => Promise.resolve(order.push(each)))));
  expect([order, wires.length]).toEqual([[1, 2, 3], 1]);
});

test('a server that refuses a further connection serves all with those that it allows', async () => {
  open(5, 2);
  const done = await Promise.all(Array.from({ length: 9 }, (_, each) => pool.use(never, () => turn(each))));
  expect([done, wires.length]).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8], 2]);
});

test('a server that refuses the first connection is a failure', async () => {
  open(5, 0);
  await expect(pool.use(never, () => Promise.resolve())).rejects.toMatchObject({ code: 'unavailable' });
});

test('a connection that died while it lay idle is not noticed: the work is done on a new one, and no other idle one is tried', async () => {
  open(3);
  await Promise.all([1, 2, 3].map(() => pool.use(never, () => turn())));
  const tried: number[] = [];
  const result = await pool.use(never, (wire) => {
    tried.push(wire.number);
    if (wire.number > 3) return Promise.resolve('done');
    wire.alive = false;
    return Promise.reject(unavailable());
  });
  expect([result, tried.length, tried[1]]).toEqual(['done', 2, 4]);
  expect(wires.slice(0, 3).every(({ closed }) => closed)).toBe(true);
});

test.each([
  ['on a new connection', false, unavailable()],
  ['that is a refusal', true, new CrawlerError('denied', 'not for you')],
])('a failure %s is reported, not repeated', async (_what, reused, failure) => {
  open(1);
  if (reused) await pool.use(never, () => Promise.resolve());
  let times = 0;
  const failing = pool.use(never, (wire) => {
    times += 1;
    wire.close();
    return Promise.reject(failure);
  });
  await expect(failing).rejects.toBe(failure);
  expect(times).toBe(1);
});

test('who gives up waiting leaves the place to the next', async () => {
  open(1);
  const impatient = new AbortController();
  let finish: () => void = () => undefined;
  const first = pool.use(never, () => new Promise<void>((resolve) => (finish = resolve)));
  await turn();
  const second = pool.use(impatient.signal, () => Promise.resolve('second'));
  const third = pool.use(never, () => Promise.resolve('third'));
  await turn();
  finish();
  impatient.abort();
  await first;
  await expect(second).rejects.toMatchObject({ code: 'cancelled' });
  expect(await third).toBe('third');
});

test('close ends what is open, what waits, and what is just being opened', async () => {
  let seen: AbortSignal | undefined;
  pool = new ConnectionPool<Wire>({
    size: 1,
    open: (signal) => {
      seen = signal;
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new CrawlerError('cancelled', 'given up')), { once: true });
      });
    },
  });
  const opening = pool.use(never, () => Promise.resolve());
  const waiting = pool.use(never, () => Promise.resolve());
  await turn();
  pool.close();
  await expect(opening).rejects.toMatchObject({ code: 'cancelled', message: 'The source has been closed.' });
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  expect(seen?.aborted).toBe(true);
  await expect(pool.use(never, () => Promise.resolve())).rejects.toMatchObject({ code: 'cancelled' });
});

test('work that close breaks off ends as cancelled', async () => {
  open(1);
  const working = pool.use(never, async (wire) => {
    while (wire.alive) await turn();
    throw unavailable();
  });
  while (wires.length === 0) await turn();
  pool.close();
  await expect(working).rejects.toMatchObject({ code: 'cancelled' });
});
