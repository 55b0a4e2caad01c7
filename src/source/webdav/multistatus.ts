import { SaxesParser, type SaxesTagNS } from 'saxes';

/**
 * The answer to PROPFIND (RFC 4918, section 13), read as it comes:
 *
 *     <multistatus xmlns="DAV:">
 *       <response>
 *         <href>/dav/a%20file.txt</href>
 *         <propstat>
 *           <prop><getcontentlength>17</getcontentlength><resourcetype/>…</prop>
 *           <status>HTTP/1.1 200 OK</status>
 *         </propstat>
 *         <propstat> … <status>HTTP/1.1 404 Not Found</status> </propstat>
 *       </response>
 *       <response> <href>…</href> <status>HTTP/1.1 403 Forbidden</status> </response>
 *     </multistatus>
 *
 * A document that is cut off, or is something else, is an error: what is missing from a listing would count as deleted.
 */
export interface DavResponse {
  readonly href: string;
  /** Of the resource as a whole; 200 where only single properties may be missing. */
  readonly status: number;
  readonly isFolder: boolean;
  readonly size: number | undefined;
  readonly modifiedMs: number | undefined;
  readonly createdMs: number | undefined;
  readonly etag: string | undefined;
}

/** The properties that are asked for. */
export const PROPFIND_BODY =
  '<?xml version="1.0" encoding="utf-8"?><propfind xmlns="DAV:"><prop>' +
  '<resourcetype/><getcontentlength/><getlastmodified/><creationdate/><getetag/></prop></propfind>';

const DAV = 'DAV:';
/** No path is longer, nor is any property that is asked for. */
const MAX_TEXT = 64 * 1024;

export class MultistatusReader {
  readonly #responses: DavResponse[] = [];
  readonly #parser = new SaxesParser({ xmlns: true });
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** Names of the open elements; those of other namespaces are empty. */
  readonly #open: string[] = [];
  #text = '';
  #root = '';
  #response = new ResponseFields();

  constructor() {
    this.#parser.on('opentag', (tag) => this.#opened(tag));
    this.#parser.on('text', (text) => this.#take(text));
    this.#parser.on('cdata', (text) => this.#take(text));
    this.#parser.on('closetag', () => this.#closed());
    this.#parser.on('error', (error) => {
      throw error;
    });
  }

  /** Throws when it is no XML. */
  add(chunk: Uint8Array): void {
    this.#parser.write(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Throws when the document is not complete, or is no multistatus. */
  finish(): readonly DavResponse[] {
    this.#parser.write(this.#decoder.decode()).close();
    if (this.#root !== 'multistatus') throw new Error(`the answer is a [${this.#root}] and not a listing`);
    return this.#responses;
  }

  #opened({ local, uri }: SaxesTagNS): void {
    const name = uri === DAV ? local : '';
    this.#open.push(name);
    this.#text = '';
    if (this.#open.length === 1) this.#root = name;
    if (this.#isAt('multistatus', 'response')) this.#response = new ResponseFields();
    if (this.#isAt('multistatus', 'response', 'propstat')) this.#response.properties = new Map();
    if (name === 'collection' && this.#open.at(-2) === 'resourcetype') this.#response.properties.set('collection', '');
  }

  #take(text: string): void {
    this.#text += text;
    if (this.#text.length > MAX_TEXT) throw new Error('the answer holds a text without end');
  }

  #closed(): void {
    const name = this.#open.at(-1) ?? '';
    const text = this.#text.trim();
    if (this.#isAt('multistatus', 'response', 'href')) this.#response.href ??= text;
    else if (this.#isAt('multistatus', 'response', 'status')) this.#response.status = statusOf(text);
    else if (this.#isAt('multistatus', 'response', 'propstat', 'status'))
      this.#response.propertyStatus = statusOf(text);
    else if (this.#isAt('multistatus', 'response', 'propstat', 'prop', name)) this.#response.properties.set(name, text);
    else if (this.#isAt('multistatus', 'response', 'propstat')) this.#response.endOfProperties();
    else if (this.#isAt('multistatus', 'response')) this.#responses.push(this.#response.toResponse());
    this.#open.pop();
    this.#text = '';
  }

  #isAt(...names: readonly string[]): boolean {
    return this.#open.length === names.length && names.every((name, at) => name !== '' && this.#open[at] === name);
  }
}

class ResponseFields {
  href: string | undefined;
  status: number | undefined;
  properties = new Map<string, string>();
  propertyStatus = 0;
  readonly #found = new Map<string, string>();
  #failed: number | undefined;

  /** Properties count where their status says that they are there. */
  endOfProperties(): void {
    if (this.propertyStatus >= 200 && this.propertyStatus < 300) {
      for (const [name, text] of this.properties) this.#found.set(name, text);
    } else if (this.propertyStatus !== 404) this.#failed ??= this.propertyStatus;
    this.properties = new Map();
    this.propertyStatus = 0;
  }

  toResponse(): DavResponse {
    if (this.href === undefined || this.href === '') throw new Error('the answer holds a resource without an address');
    const found = this.#found;
    return {
      href: this.href,
      status: this.status ?? (found.size === 0 ? (this.#failed ?? 200) : 200),
      isFolder: found.has('collection'),
      size: lengthOf(found.get('getcontentlength')),
      modifiedMs: dateOf(found.get('getlastmodified')),
      createdMs: dateOf(found.get('creationdate')),
      etag: found.get('getetag') || undefined,
    };
  }
}

/** `HTTP/1.1 200 OK` */
function statusOf(line: string): number {
  return Number(/^HTTP\/\d(?:\.\d)? (\d{3})/.exec(line)?.[1] ?? 0);
}

function lengthOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

function dateOf(text: string | undefined): number | undefined {
  const epochMs = Date.parse(text ?? '');
  return Number.isNaN(epochMs) ? undefined : epochMs;
}
