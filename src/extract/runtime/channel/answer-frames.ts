import type { Extraction } from '../../extraction.js';
import { MOST_WARNINGS, type DocumentLimits } from '../../limits.js';
import { MOST_HEAD_BYTES, mostFactsBytes } from './answer-limits.js';
import { jsonFrame, textFrame } from '../../frames/frames.js';
import { processFrame, type ProcessAnswer } from './messages.js';

/** In JSON a character takes up to six bytes. */
const LONGEST_MESSAGE = Math.floor(MOST_HEAD_BYTES / 8);

/** The bodies of an answer. The process sends them before the head. */
export function answerBodies({ result }: ProcessAnswer, limits: DocumentLimits): readonly Buffer[] {
  if ('error' in result) return [];
  const { text, source } = result.extraction;
  const bodies = [factsFrame(factsOf(result.extraction), limits), textFrame(processFrame.text, text)];
  if (source !== undefined) bodies.push(textFrame(processFrame.source, source));
  return bodies;
}

/** Everything but text and base64. Written out field by field: a rest or spread costs more than the encoding itself. */
function factsOf(extraction: Extraction): Omit<Extraction, 'text' | 'source'> {
  const { truncated, pages = [], contentType, metadata, language, checksum, size } = extraction;
  const { members, warnings, problem } = extraction;
  return { truncated, pages, contentType, metadata, language, checksum, size, members, warnings, problem };
}

/** The head, which completes an answer. `more`: another answer follows in the same group. */
export function answerHead({ id, elapsedMs, result }: ProcessAnswer, more: boolean): Buffer {
  const head = more ? { id, elapsedMs, more } : { id, elapsedMs };
  if (!('error' in result)) return jsonFrame(processFrame.answer, head);
  const { code, message } = result.error;
  return jsonFrame(processFrame.answer, { ...head, error: { code, message: message.slice(0, LONGEST_MESSAGE) } });
}

/** Metadata that do not fit into a frame are dropped: those of the members first, then those of the document. */
export function factsFrame(
  facts: Pick<Extraction, 'members' | 'metadata' | 'warnings'>,
  limits: DocumentLimits,
): Buffer {
  const most = mostFactsBytes(limits);
  const whole = jsonFrame(processFrame.facts, facts);
  if (whole.length <= most) return whole;
  const warnings = [
    ...facts.warnings.slice(0, MOST_WARNINGS - 1),
    'Metadata were dropped: there are more than an extraction may have.',
  ];
  const members = facts.members.map((member) => ({ ...member, metadata: {} }));
  const shorter = jsonFrame(processFrame.facts, { ...facts, members, warnings });
  if (shorter.length <= most) return shorter;
  return jsonFrame(processFrame.facts, { ...facts, members: [], metadata: {}, warnings: warnings.slice(-1) });
}
