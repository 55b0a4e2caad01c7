import type { FormatContext } from '../../format.js';

/** Keys of `<meta name>` that have a name of their own; all others are kept as they are. */
const META_KEYS: ReadonlyMap<string, string> = new Map([
  ['author', 'dc:creator'],
  ['title', 'dc:title'],
  ['subject', 'dc:subject'],
  ['keywords', 'meta:keyword'],
  ['description', 'dc:description'],
]);
/** Which attribute of `<meta>` names what its content is; the first one present. */
const NAMING_ATTRIBUTES = ['http-equiv', 'name', 'property'];
const POSITION_KEYS: ReadonlySet<string> = new Set(['icbm', 'geo.position']);
const POSITION = /^\s*(-?\d+\.\d+)[,;\s]+(-?\d+\.\d+)\s*$/;

/** What a page says about itself: title, language, `<meta>`. The first `<title>` wins over everything else. */
export class HtmlMetadata {
  readonly #context: FormatContext;
  #hasTitle = false;

  constructor(context: FormatContext) {
    this.#context = context;
  }

  title(title: string): void {
    if (this.#hasTitle) return;
    this.#hasTitle = true;
    this.#context.setMeta('dc:title', title.trim());
  }

  element(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'meta') {
      this.#meta(attributes);
      return;
    }
    const value = attributes.get(name === 'html' ? 'lang' : 'href');
    if (value !== undefined) this.#context.setMeta(name === 'html' ? 'Content-Language' : 'Content-Location', value);
  }

  #meta(attributes: ReadonlyMap<string, string>): void {
    const name = (
      NAMING_ATTRIBUTES.map((key) => attributes.get(key)).find((value) => value !== undefined) ?? ''
    ).trim();
    const content = attributes.get('content')?.trim() ?? '';
    if (name === '' || content === '') return;
    const lower = name.toLowerCase();
    if (lower === 'content-type') this.#context.setMeta('Content-Type-Hint', content);
    else if (POSITION_KEYS.has(lower)) this.#position(name, content);
    else if (lower === 'title' && this.#hasTitle) this.#context.meta(name, content);
    else this.#named(name, lower, content);
  }

  /** Under its general key and, as in Tika, under the name that it has here. */
  #named(name: string, lower: string, content: string): void {
    const key = META_KEYS.get(lower);
    if (key !== undefined) this.#context.meta(key, content);
    if (lower === 'keywords') this.#context.meta('dc:subject', content);
    if (lower !== 'title' && lower !== 'subject') this.#context.meta(name, content);
  }

  #position(name: string, content: string): void {
    this.#context.meta(name, content);
    const [, latitude, longitude] = POSITION.exec(content) ?? [];
    this.#context.meta('geo:lat', latitude);
    this.#context.meta('geo:long', longitude);
  }
}
