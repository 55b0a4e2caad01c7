import { MOST_WARNINGS } from '../limits.js';
import type { Problem, Reason } from '../../model/reason.js';
import type { TikaMetadata } from './tika-metadata.js';

/** What went wrong on the server, from the Java exceptions in its answer. */
export interface TikaProblems {
  /** About the document as a whole. */
  readonly problem: Problem | undefined;
  /** About parts of it. */
  readonly warnings: readonly string[];
  /** The server stopped because there was more text than wanted. */
  readonly isCut: boolean;
}

const LONGEST_MESSAGE = 200;
const NO_PARSER = 'org.apache.tika.parser.EmptyParser';

/** By what stands anywhere in the exception and its causes, best known first. */
const REASONS: readonly (readonly [pattern: RegExp, reason: Reason, message: string])[] = [
  [/EncryptedDocumentException|InvalidPasswordException/, 'encrypted', 'No password opens it.'],
  [/zip bomb/i, 'too_large', 'It unpacks to far more than its size, like a decompression bomb.'],
  [/TikaMemoryLimitException|RecordFormatException: Tried to allocate/, 'too_large', 'It needs too much memory.'],
  [/TikaTimeoutException/, 'timed_out', 'A part of its extraction took too long.'],
  [/UnsupportedFormatException|UnsupportedZipFeatureException/, 'unsupported', 'Tika does not support its type.'],
];

export function problemsOf(document: TikaMetadata, parts: readonly TikaMetadata[]): TikaProblems {
  const { exceptions } = document;
  const isCut =
    exceptions.has('write_limit_reached') || parts.some((part) => part.exceptions.has('write_limit_reached'));
  const warnings = [...warningsOf(document, ''), ...parts.flatMap((part) => warningsOf(part, pathOf(part)))];
  return { problem: problemOf(document), warnings: warnings.slice(0, MOST_WARNINGS), isCut };
}

function problemOf({ exceptions, metadata }: TikaMetadata): Problem | undefined {
  const exception = exceptions.get('container_exception')?.join('\n');
  if (exception !== undefined && !exception.includes('WriteLimitReachedException')) return exceptionProblem(exception);
  if (exceptions.has('embedded_resource_limit_reached')) {
    return { reason: 'too_large', message: 'It has more parts than are extracted (extractor.limits.members).' };
  }
  if (metadata['tk:Parsed-By']?.every((parser) => parser === NO_PARSER) === true) {
    const type = metadata['Content-Type']?.[0] ?? 'unknown';
    return { reason: 'unsupported', message: `The Tika server has no parser for the type [${type}].` };
  }
  return undefined;
}

function exceptionProblem(exception: string): Problem {
  for (const [pattern, reason, message] of REASONS) if (pattern.test(exception)) return { reason, message };
  return { reason: 'corrupt', message: `The content could not be read: ${firstLine(exception)}` };
}

function warningsOf({ exceptions }: TikaMetadata, path: string): string[] {
  return [...exceptions]
    .filter(([kind]) => kind !== 'container_exception' && !kind.endsWith('_limit_reached'))
    .flatMap(([, texts]) => texts)
    .map((text) => `${path === '' ? '' : `[${path}] `}${firstLine(text)}`);
}

function pathOf({ metadata }: TikaMetadata): string {
  return metadata['tk:embedded_resource_path']?.[0] ?? '';
}

/** Without the trace, and without the package of the exception. */
function firstLine(exception: string): string {
  const [line = ''] = exception.split('\n', 1);
  return line
    .replace(/^(?:[a-z]\w*\.)+/, '')
    .slice(0, LONGEST_MESSAGE)
    .trim();
}
