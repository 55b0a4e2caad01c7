import type { AnySection, ValueOf, ValuesOf } from '../../setting.js';
import type { server } from '../server.js';

/** The section `server`, which the sources that log in to a host share. */
export type ServerSettings = ValuesOf<typeof server.members>;

/**
 * What the settings know of a source that can be crawled. The choices of `fs.provider`, the section `fs.<type>`, the
 * defaults of `server.*` and the checks at start are derived from the list in `index.ts`.
 */
export interface SourceDeclaration<T extends string = string, S = AnySection | undefined> {
  /** The value of `fs.provider` that means it. */
  readonly type: T;
  /** Its own settings, `fs.<type>`; undefined where it only has those of `server`. */
  readonly section: S;
  /** What holds for the job where `server.*` says nothing. */
  readonly server?: (given: ServerSettings) => Partial<Pick<ServerSettings, 'port' | 'username'>>;
  /** `fs.url` as it is meant: a path of this machine may begin with `~`. */
  readonly root?: (url: string) => string;
  readonly rules: readonly SourceRule<S>[];
}

/** A demand that holds while the source is the one of the job. */
export interface SourceRule<S = AnySection | undefined> {
  /** Key of the setting that is to blame. */
  readonly about: string;
  /** What is wrong, as a sentence, or undefined. `own` is `fs.<type>`, an empty object where there is no such section. */
  check(own: OwnSettings<S>, server: ServerSettings): string | undefined;
}

type OwnSettings<S> = S extends AnySection ? ValueOf<S> : object;

/** Keeps the type of the section, so that `JobSettings` has its settings. */
export function declareSource<const T extends string, S extends AnySection | undefined>(
  declaration: SourceDeclaration<T, S>,
): SourceDeclaration<T, S> {
  return declaration;
}

/** The sections of those sources that have one, by type. */
export type SectionsOf<L extends readonly SourceDeclaration[]> = {
  readonly [D in L[number] as D['section'] extends AnySection ? D['type'] : never]: D['section'];
};
