/** Where a Tika server is: below its URL, which may have a path and credentials. */
export class TikaAddress {
  /** For people: without credentials. */
  readonly shown: string;
  /** `user:password` for basic authentication. */
  readonly credentials: string | undefined;
  readonly #base: URL;

  constructor(url: string) {
    const { origin, pathname, username, password } = new URL(url);
    this.#base = new URL(`${origin}${pathname.replace(/\/+$/, '')}/`);
    this.shown = this.#base.href.replace(/\/$/, '');
    this.credentials = username === '' ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  }

  /** Of an endpoint, written without a slash in front. */
  endpoint(path: string): URL {
    return new URL(path, this.#base);
  }
}
