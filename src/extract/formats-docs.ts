import { namedTypes } from './detect/name-types.js';
import type { Format } from './format.js';
import { findFormat, formats } from './registry.js';

/** docs/formats.md: what is read, made of the descriptors of the formats and of the table of file names. */
export function formatsMarkdown(): string {
  const sections = formats.map((format) => sectionOf(format).join('\n'));
  return `${[HEAD, ...sections, TAIL].join('\n\n')}\n`;
}

function sectionOf({ name, mediaTypes, facts: { title, library, reads, omits } }: Format): string[] {
  const extensions = namedTypes().flatMap(([type, names]) => (findFormat(type)?.name === name ? names : []));
  return [
    `## ${title}`,
    '',
    '| | |',
    '|---|---|',
    `| extractor | \`${name}\` |`,
    `| read by | ${library} |`,
    `| what is read | ${reads} |`,
    ...(omits === '' ? [] : [`| what is not | ${omits} |`]),
    ...(extensions.length === 0 ? [] : [`| extensions | ${inCode(extensions.sort())} |`]),
    `| media types | ${inCode(mediaTypes)} |`,
  ];
}

function inCode(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(' ');
}

const HEAD = `# Formats

Made by \`npm run docs\` from the tables of the extractors; not to be edited by hand.

A file's type is detected from its contents; its name only refines that (text called \`.java\` is Java, a PDF called \`.java\` is a
PDF). Types have the names that Tika gives them. Files inside of files (entries of archives, attachments, embedded objects) are
extracted too, their text into the text of the whole, and each is a member of its own with name, type, metadata and place in
that text: \`crawler extract <file>\` shows them. Extensions are those that a type is known by; a file without or with another
one is read all the same.`;

const TAIL = `## What is not built in

A file of another format is indexed with its name and metadata of the file system, and the reason \`unsupported\`. With
\`extractor.provider: auto\` and a Tika server at \`extractor.tika.url\` such files go there: Outlook data files (pst), OneNote,
CHM, Access, Publisher, Visio before 2013, Project, WordPerfect, Word 2 to 5, Works, Lotus and Quattro spreadsheets, HWP, DWG, rar,
zstd, rpm packages, ISO images.

## Limits

\`extractor.limits\` in [settings.md](settings.md) says what one document may cost: time, memory, text, what it unpacks to, how
many members, how deep. A document that goes beyond is indexed with what was found until then and the reason \`too_large\` or
\`timed_out\`. One that takes its process along is tried once more in a process of its own; then it is indexed with what that
one has given, and the reason.

## Passwords

PDF, Office (old and new), OpenDocument, zip and 7z are opened with the passwords of \`passwords\` in [settings.md](settings.md),
or the one that comes with an upload. They are tried in order. When none fits, the document is indexed without text and with
the reason \`encrypted\`.`;
