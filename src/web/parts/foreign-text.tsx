import type { ComponentChildren } from 'preact';
import type { Segments } from '../api.js';
import { shortened } from '../format.js';

const PIECE = 60;

/** Characters that are not seen, or that turn the text around them: shown by their code, or a name could lie. */
const UNSEEN = /([\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff])/;

const PATH = /^(?:[\\/]|[A-Za-z]:[\\/])/;

/** Hebrew, Arabic, and what else is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name, path or value of a document, in a direction of its own. */
export function ForeignText({ text }: { readonly text: string }) {
  if (PATH.test(text) && RIGHT_TO_LEFT.test(text)) return <Path text={text} />;
  return <bdi dir="auto">{visible(text)}</bdi>;
}

/** From the root on the left, whatever its folders are called: each name has a direction of its own. */
function Path({ text }: { readonly text: string }) {
  const parts = text.split(/([\\/]+)/);
  return <bdi dir="ltr">{parts.map((part, at) => (at % 2 === 1 ? part : <bdi key={at}>{visible(part)}</bdi>))}</bdi>;
}

/** The same with what was found in it; long pieces between are shortened. */
export function MarkedName({ segments }: { readonly segments: Segments }) {
  return (
    <bdi dir="auto">
      {segments.map((segment, at) =>
        at % 2 === 1 ? <mark key={at}>{visible(segment)}</mark> : visible(shortened(segment, PIECE)),
      )}
    </bdi>
  );
}

/** A passage of a document. */
export function MarkedText({ segments }: { readonly segments: Segments }) {
  return (
    <bdi dir="auto">{segments.map((segment, at) => (at % 2 === 1 ? <mark key={at}>{segment}</mark> : segment))}</bdi>
  );
}

function visible(text: string): ComponentChildren {
  if (!UNSEEN.test(text)) return text;
  return text.split(UNSEEN).map((part, at) => (at % 2 === 1 ? <Code key={at} sign={part} /> : part));
}

function Code({ sign }: { readonly sign: string }) {
  return <span class="code">U+{sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}</span>;
}
