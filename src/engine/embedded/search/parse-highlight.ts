import { BodyReader, isObject, malformed, unsupported } from '../../query/body-reader.js';
import type { HighlightOptions } from '../text/highlight.js';

/** `highlight` of a request: the fields in order, each with the options that hold for it. */
export interface HighlightRequest {
  readonly fields: readonly HighlightField[];
}

export interface HighlightField {
  /** May hold `*`. */
  readonly name: string;
  readonly options: HighlightOptions;
  /** Mark only what the query looked for in this field. */
  readonly fieldMatch: boolean;
}

interface Settings extends HighlightOptions {
  readonly fieldMatch: boolean;
}

const DEFAULTS: Settings = {
  preTag: '<em>',
  postTag: '</em>',
  fragmentSize: 100,
  fragments: 5,
  noMatchSize: 0,
  byScore: false,
  escapeHtml: false,
  fieldMatch: true,
};

export function parseHighlight(value: unknown): HighlightRequest | undefined {
  if (value === undefined) return undefined;
  const body = new BodyReader(value, '[highlight]');
  const common = settingsOf(body, DEFAULTS);
  const fields = fieldEntries(body.value('fields')).map(([name, options]) => {
    const own = new BodyReader(options, `[highlight] of [${name}]`);
    const { fieldMatch, ...settings } = settingsOf(own, common);
    own.done();
    return { name, options: settings, fieldMatch };
  });
  body.done();
  return { fields };
}

/** `{"content": {}}` or, where the order matters, `[{"content": {}}, …]`. */
function fieldEntries(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return (value as unknown[]).flatMap((entry) => fieldEntries(entry));
  if (isObject(value)) return Object.entries(value);
  throw malformed('[fields] in [highlight]', 'an object such as {"content": {}}', value);
}

function settingsOf(body: BodyReader, base: Settings): Settings {
  const type = body.string('type');
  if (type !== undefined && type !== 'unified') throw unsupported(`[type: ${type}] in ${body.where}`, 'Use unified.');
  return { ...sizesOf(body, base), ...looksOf(body, base) };
}

function looksOf(body: BodyReader, base: Settings): Pick<Settings, 'preTag' | 'postTag' | 'escapeHtml'> {
  const encoder = body.choice('encoder', ['html', 'default']);
  return {
    preTag: body.strings('pre_tags')?.[0] ?? base.preTag,
    postTag: body.strings('post_tags')?.[0] ?? base.postTag,
    escapeHtml: encoder === undefined ? base.escapeHtml : encoder === 'html',
  };
}

function sizesOf(body: BodyReader, base: Settings): Omit<Settings, 'preTag' | 'postTag' | 'escapeHtml'> {
  const order = body.choice('order', ['score', 'none']);
  return {
    fragmentSize: body.count('fragment_size', 1) ?? base.fragmentSize,
    fragments: body.count('number_of_fragments') ?? base.fragments,
    noMatchSize: body.count('no_match_size') ?? base.noMatchSize,
    byScore: order === undefined ? base.byScore : order === 'score',
    fieldMatch: body.boolean('require_field_match') ?? base.fieldMatch,
  };
}
