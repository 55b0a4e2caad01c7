import type { DocumentView } from '../api.js';
import { formatSize, formatTime } from '../format.js';
import { ForeignText } from '../parts/foreign-text.js';
import { text } from '../text/en.js';
import { addressOf } from '../url-state.js';

interface Row {
  readonly name: string;
  readonly value: string;
  /** The filter that finds documents with the same value. */
  readonly tag?: string;
}

/** What is known of a document beside its text. */
export function DocumentDetails({ view }: { readonly view: DocumentView }) {
  return (
    <details class="details">
      <summary>{text.details}</summary>
      <dl>
        {[...knownRows(view), ...metaRows(view), ...tagRows('external', view.external)].map((row) => (
          <div key={row.name}>
            <dt>
              <ForeignText text={row.name} />
            </dt>
            <dd>
              <Value row={row} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Value({ row: { value, tag } }: { readonly row: Row }) {
  if (tag === undefined) return <ForeignText text={value} />;
  return (
    <a href={addressOfTag(tag)}>
      <ForeignText text={value} />
    </a>
  );
}

function addressOfTag(tag: string): string {
  return addressOf({ search: new URLSearchParams({ tag }), document: undefined, page: undefined });
}

function knownRows(view: DocumentView): readonly Row[] {
  const known: Readonly<Record<string, string | null>> = {
    path: view.path,
    size: view.size === null ? null : formatSize(view.size),
    modified: view.modified === null ? null : formatTime(view.modified),
    created: view.created === null ? null : formatTime(view.created),
    indexed: view.indexed === null ? null : formatTime(view.indexed),
    content_type: view.content_type,
    author: view.author,
    language: view.language,
  };
  return Object.entries(known).flatMap(([name, value]) =>
    value === null ? [] : [{ name: text.fields[name] ?? name, value }],
  );
}

function metaRows({ meta }: DocumentView): readonly Row[] {
  const others = Object.entries(meta).filter(([name]) => !(name in text.fields));
  return others.map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }));
}

/** Texts below `external` are tags, also those of objects and lists in it. */
function tagRows(field: string, value: unknown): readonly Row[] {
  if (typeof value === 'string') return [{ name: field, value, tag: `${field}:${value}` }];
  if (typeof value !== 'object' || value === null) return [{ name: field, value: String(value) }];
  const parts = Array.isArray(value)
    ? value.map((each): [string, unknown] => [field, each])
    : Object.entries(value).map(([name, each]): [string, unknown] => [`${field}.${name}`, each]);
  return parts.flatMap(([name, each]) => tagRows(name, each));
}
