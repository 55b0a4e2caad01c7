import type { WriteOutcome } from '../../engine.js';
import type { OperationMessage } from '../threads/protocol.js';

/**
 * Calls that wait for their commit. A commit takes what waits, whoever sent it, up to `MAX_OPERATIONS` or `MAX_CHARACTERS`:
 * single uploads that come together share one flush of the disk, and a large call is spread over several commits, so that
 * nobody waits long behind it. A call is answered when the last of its operations is committed.
 */
export interface WaitingCall {
  readonly operations: readonly OperationMessage[];
  readonly answer: (outcomes: readonly WriteOutcome[]) => void;
}

interface OpenCall extends WaitingCall {
  readonly outcomes: WriteOutcome[];
}

const MAX_OPERATIONS = 200;
const MAX_CHARACTERS = 1_000_000;

export class CommitQueue {
  #calls: OpenCall[] = [];
  /** Operations of the first call that earlier commits took. */
  #taken = 0;

  add(call: WaitingCall): void {
    if (call.operations.length === 0) call.answer([]);
    else this.#calls.push({ ...call, outcomes: [] });
  }

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** The operations of the next commit. Their outcomes are handed to `answer` before the next ones are taken. */
  next(): OperationMessage[] {
    const batch: OperationMessage[] = [];
    let characters = 0;
    let from = this.#taken;
    for (const { operations } of this.#calls) {
      for (const operation of operations.slice(from)) {
        const size = operation.kind === 'index' ? operation.json.length : 0;
        const full = batch.length === MAX_OPERATIONS || characters + size > MAX_CHARACTERS;
        if (full && batch.length > 0) return batch;
        batch.push(operation);
        characters += size;
      }
      from = 0;
    }
    return batch;
  }

  answer(outcomes: readonly WriteOutcome[]): void {
    for (const outcome of outcomes) {
      const call = this.#calls[0];
      if (call === undefined) return;
      call.outcomes.push(outcome);
      this.#taken += 1;
      if (this.#taken === call.operations.length) {
        call.answer(call.outcomes);
        this.#calls.shift();
        this.#taken = 0;
      }
    }
  }
}
