import type { Request, Response } from 'express';
import type { BackgroundCheck } from '../../operations/inspector/background-check.js';
import type { CheckKind } from '../../operations/inspector/inspector-thread.js';
import type { ThreadInspector } from '../../operations/inspector/thread-inspector.js';
import { truthOf, type Truth } from '../../operations/verify/truth.js';
import type { VerifyRecord } from '../../operations/verify/verify-record.js';
import { sendJson, sendMessage } from '../answer.js';
import { FindParameters } from '../find/find-parameters.js';
import { requireEngine } from '../require-engine.js';
import type { RestContext } from '../rest-options.js';
import { openInspector } from './open-inspector.js';

const STARTED: Readonly<Record<CheckKind, string>> = {
  plan: 'The tree is being walked. GET /_crawler/plan says what the next scan would do.',
  verify: 'Tree, catalog and index are being compared. GET /_crawler/verify says what came of it.',
};

/** What walks the whole tree: started, watched, stopped, and its last result. */
export class CheckEndpoint {
  readonly #context: RestContext;

  constructor(context: RestContext) {
    this.#context = context;
  }

  async start(kind: CheckKind, request: Request, response: Response): Promise<void> {
    withoutParameters(request);
    const inspector = await openInspector(this.#context);
    if (kind === 'verify') await requireEngine(this.#context, response);
    inspector[kind].start();
    sendMessage(response, 202, true, STARTED[kind]);
  }

  async stop(kind: CheckKind, request: Request, response: Response): Promise<void> {
    withoutParameters(request);
    const inspector = await openInspector(this.#context);
    const wasRunning = inspector[kind].stop();
    sendMessage(response, 200, true, wasRunning ? 'It is being stopped.' : 'Nothing is running. No action needed.');
  }

  async plan(request: Request, response: Response): Promise<void> {
    withoutParameters(request);
    const { plan } = await openInspector(this.#context);
    const { last } = plan;
    sendJson(response, 200, {
      ok: true,
      ...progressOf(plan),
      last: last === undefined ? null : { at: instant(last.atMs), took_ms: last.tookMs, plan: last.result },
    });
  }

  async verify(request: Request, response: Response): Promise<void> {
    withoutParameters(request);
    const inspector = await openInspector(this.#context);
    const last = newest(await inspector.lastVerification(), inspector.verify.last?.result);
    const truth = await this.#truth(inspector, last);
    sendJson(response, 200, {
      ok: true,
      ...progressOf(inspector.verify),
      last: last ?? null,
      truth: { ...truth, at: last?.at ?? null },
    });
  }

  /** The catalog is asked only where everything else speaks for an index that equals the tree. */
  async #truth(inspector: ThreadInspector, last: VerifyRecord | undefined): Promise<Truth> {
    const { crawler, indexIncidents } = this.#context;
    const status = crawler?.status();
    const facts = {
      last,
      checking: inspector.verify.running !== undefined,
      scanning: status?.state === 'RUNNING',
      held: status === undefined ? (last?.verification.held ?? 0) : (status.heldDeletions?.documents ?? 0),
      incidents: indexIncidents.read().length,
      changedSince: false,
      repairCommand: inspector.repairCommand,
    };
    const truth = truthOf(facts);
    if (truth.state !== 'equal' || last === undefined) return truth;
    const { scanId, scanEndMs, filesProcessed, filesDeleted, watch } = status ?? {};
    const moment = JSON.stringify([scanId, scanEndMs, filesProcessed, filesDeleted, watch?.partialScans]);
    return truthOf({ ...facts, changedSince: await inspector.changedSince(last, moment) });
  }
}

function withoutParameters(request: Request): void {
  new FindParameters(request, []);
}

function progressOf({ running, fault }: BackgroundCheck<unknown>): object {
  return {
    running:
      running === undefined
        ? null
        : { since: instant(running.sinceMs), files: running.files, documents: running.documents },
    failed: fault === undefined ? null : { at: instant(fault.atMs), message: fault.message },
  };
}

/** The file may be older than what this process knows, where it cannot be written. */
function newest(noted: VerifyRecord | undefined, own: VerifyRecord | undefined): VerifyRecord | undefined {
  if (noted === undefined || own === undefined) return noted ?? own;
  return Date.parse(own.at) > Date.parse(noted.at) ? own : noted;
}

function instant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
