import type { SettingType } from './setting-type.js';
import type { RawValue } from './raw-value.js';

/** Where a job lives: some defaults follow from it. */
export interface JobLocation {
  readonly configDir: string;
  readonly job: string;
}

/** What holds when nobody says anything: a value as one would write it, or one that follows from the place. */
export type Default = RawValue | DefaultFromLocation | DefaultFromJob;
interface DefaultFromLocation {
  readonly of: (place: JobLocation) => string;
  /** How documentation puts it. */
  readonly shown: string;
}
/** One that follows from the name of the job, whoever gives it. */
interface DefaultFromJob {
  readonly ofJob: (name: string) => string;
  readonly shown: string;
}

/** One setting, declared once: loader, environment names, `--setup` file and docs/settings.md are derived from this. */
export interface Setting<V> {
  readonly kind: 'setting';
  readonly type: SettingType<V>;
  /** One sentence without its subject, in Markdown. */
  readonly meaning: string;
  readonly default: Default | undefined;
  /** The value when there is neither a default nor a given value. */
  readonly whenUnset: V;
  /** A value for the `--setup` file where the default would not show the form of one. */
  readonly example: RawValue | undefined;
  /** Never printed, logged or quoted. */
  readonly secret: boolean;
  /** An empty text is a value of its own. Otherwise it means "not given". */
  readonly mayBeEmpty: boolean;
}

export interface Section<M> {
  readonly kind: 'section';
  readonly about: string;
  readonly members: M;
}

interface Description {
  readonly meaning: string;
  readonly example?: RawValue;
  readonly secret?: boolean;
  readonly mayBeEmpty?: boolean;
}

export function setting<V>(
  type: SettingType<V>,
  options: Description & ({ readonly default: Default } | { readonly whenUnset: V }),
): Setting<V>;
export function setting<V>(type: SettingType<V>, options: Description): Setting<V | undefined>;
export function setting<V>(
  type: SettingType<V>,
  options: Description & { readonly default?: Default; readonly whenUnset?: V },
): Setting<V | undefined> {
  return {
    kind: 'setting',
    type,
    meaning: options.meaning,
    default: options.default,
    whenUnset: options.whenUnset,
    example: options.example,
    secret: options.secret ?? false,
    mayBeEmpty: options.mayBeEmpty ?? false,
  };
}

export function section<const M>(about: string, members: M): Section<M> {
  return { kind: 'section', about, members };
}

/** The value of a declared node: a setting's own, or an object of its members'. */
export type ValueOf<N> = N extends Setting<infer V> ? V : N extends Section<infer M> ? ValuesOf<M> : never;
export type ValuesOf<M> = { readonly [K in keyof M]: ValueOf<M[K]> };

/** A node whose value type does not matter to the caller. */
export type AnyNode = Setting<unknown> | AnySection;
export interface AnySection {
  readonly kind: 'section';
  readonly about: string;
  readonly members: Members;
}
export type Members = Readonly<Record<string, AnyNode>>;

/**
 * The default as one would write it, at a given place.
 * @param nameOfJob asked only by defaults that follow from it
 */
export function defaultAt(
  declared: Setting<unknown>,
  place: JobLocation,
  nameOfJob: () => string,
): RawValue | undefined {
  const value = declared.default;
  if (isDerived(value)) return 'of' in value ? value.of(place) : value.ofJob(nameOfJob());
  return value;
}

/** The default as documentation shows it; undefined when there is none, or an empty one. */
export function shownDefault(declared: Setting<unknown>): RawValue | undefined {
  const value = declared.default;
  if (isDerived(value)) return value.shown;
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

function isDerived(value: Default | undefined): value is DefaultFromLocation | DefaultFromJob {
  if (typeof value !== 'object') return false;
  const derive = 'of' in value ? value.of : 'ofJob' in value ? value.ofJob : undefined;
  return typeof derive === 'function';
}
