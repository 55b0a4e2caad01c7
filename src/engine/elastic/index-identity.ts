import type { Logger } from '../../base/logger.js';
import type { EngineClient } from './engine-client.js';
import { at, isRecord, textAt } from './json.js';
import { reasonOfBody, serverError } from './server-errors.js';
import { settleAll } from './settle-all.js';

const ABSENT = 'absent';

/**
 * The uuid that a server gives an index when it creates it: an index that was deleted and created again has another one.
 * Behind an alias of several indices the oldest one counts, so that a roll-over changes nothing. A server that hides the
 * uuid says only whether the index is there; of one that is not there it is said that it is `absent`.
 */
export async function indexIdentity(client: EngineClient, index: string, signal: AbortSignal): Promise<string> {
  const wanted = { index, name: ['index.uuid', 'index.creation_date'] };
  const { status, body } = await client.ask(
    { name: `settings of [${index}]`, send: (typed, options) => typed.indices.getSettings(wanted, options) },
    signal,
  );
  if (status === 404 && reasonOfBody(body).type === 'index_not_found_exception') return ABSENT;
  if (status >= 300) throw serverError(status, body, `The settings of the index [${index}] cannot be read`, index);
  const indices = isRecord(body) ? Object.values(body).map((each) => at(each, 'settings', 'index')) : [];
  if (indices.length === 0) return ABSENT;
  const oldest = indices.sort((a, b) => createdAt(a) - createdAt(b))[0];
  return textAt(oldest, 'uuid') ?? 'present';
}

/**
 * A server creates an index with its first document. It is done before, so that the index has its identity from the first
 * run on and a search finds nothing rather than no index. Who may not do it leaves it to the server.
 */
export async function createMissing(
  client: EngineClient,
  indices: readonly string[],
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  await settleAll(
    indices.map(async (index) => {
      if ((await indexIdentity(client, index, signal)) === ABSENT) await createIndex(client, index, logger, signal);
    }),
  );
}

async function createIndex(client: EngineClient, index: string, logger: Logger, signal: AbortSignal): Promise<void> {
  const { status, body } = await client.ask(
    { name: `creation of [${index}]`, send: (typed, options) => typed.indices.create({ index }, options) },
    signal,
  );
  const { type, reason } = reasonOfBody(body);
  if (status < 300 || type === 'resource_already_exists_exception') return;
  logger.warn(
    `The index [${index}] cannot be created (HTTP status ${status}, ${reason}): the first document may create it.`,
  );
}

function createdAt(settings: unknown): number {
  return Number(textAt(settings, 'creation_date') ?? 0);
}
