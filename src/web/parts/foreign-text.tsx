import type { ComponentChildren } from 'preact';
import type { Segments } from '../api.js';

/** Characters that are not seen, or that turn the text around them: shown by their code, or a name could lie. */
const UNSEEN = /([\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff])/;

/** A name, path or value of a document, in a direction of its own. */
export function ForeignText({ text }: { readonly text: string }) {
  return <bdi dir="auto">{visible(text)}</bdi>;
}

/** The same with what was found in it. */
export function MarkedName({ segments }: { readonly segments: Segments }) {
  return (
    <bdi dir="auto">
      {segments.map((segment, at) => (at % 2 === 1 ? <mark key={at}>{visible(segment)}</mark> : visible(segment)))}
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
