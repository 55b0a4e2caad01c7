import type { RawValue } from './raw-value.js';
import { isRawList } from './raw-value.js';

/** How values of one type are written, read and shown. */
export interface SettingType<V> {
  /** The type's name in docs/settings.md. */
  readonly name: string;
  /** What to write, as the object of "Write …". */
  readonly expects: string;
  readonly shape: 'single' | 'list';
  /** A unit that the property of a setting carries in code but its key does not (`updateRateMs`, `update_rate`). */
  readonly unit?: 'Ms' | 'Bytes';
  /** Placeholders are resolved already. Throws a RangeError with a sentence that says what is wrong and what is right. */
  parse(raw: RawValue): V;
  /** The value as `GET /` shows it; undefined leaves it out. */
  print(value: V): Printed | undefined;
}

type Printed = string | number | boolean | readonly string[];

interface SingleOptions<V> {
  readonly name: string;
  readonly expects: string;
  readonly unit?: 'Ms' | 'Bytes';
  parse(text: string): V;
  print(value: V): Printed | undefined;
}

/** A type whose values are one text. `parse` may throw a RangeError that says what is wrong; what is right is added here. */
export function single<V>(options: SingleOptions<V>): SettingType<V> {
  return {
    ...options,
    shape: 'single',
    parse(raw) {
      const advice = `Write ${options.expects}.`;
      if (typeof raw !== 'string') throw new RangeError(`A single value is needed. ${advice}`);
      try {
        return options.parse(raw.trim());
      } catch (error) {
        if (error instanceof RangeError) throw new RangeError(`${ended(error.message)} ${advice}`, { cause: error });
        throw error;
      }
    },
  };
}

/**
 * A list of values. One text is a list too: its values stand between commas. A comma that belongs to a value is written
 * `\,`; one inside a repetition of a regular expression (`\d{2,4}`) is left alone.
 */
export function listOf<V extends string>(item: SettingType<V>): SettingType<readonly V[]> {
  return {
    name: `list of ${item.name}`,
    expects: `a list; each item is ${item.expects}`,
    shape: 'list',
    parse(raw) {
      if (!isRawList(raw) && typeof raw !== 'string') {
        throw new RangeError('A list is needed, but this is a map.');
      }
      const items = isRawList(raw) ? raw : splitList(raw);
      return items.map((each) => item.parse(each));
    },
    print: (values) => (values.length === 0 ? undefined : values.map((value) => String(item.print(value)))),
  };
}

function splitList(text: string): readonly string[] {
  if (text.trim() === '') return [];
  return text.split(/(?<!\\),(?!\d*\})/).map((item) => item.trim().replaceAll('\\,', ','));
}

function ended(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
