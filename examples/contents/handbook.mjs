import { makeEpub, makeXhtml } from '../makers/book.mjs';
import { escapeXml } from '../makers/package.mjs';
import { makePdf, wrap } from '../makers/pdf.mjs';
import { HANDBOOK, TRUST } from '../makers/prose.mjs';

export function handbook() {
  return {
    'handbook/lighthouse-keepers-handbook.pdf': handbookPdf(),
    'handbook/lighthouse-keepers-handbook.epub': makeEpub({ ...HANDBOOK, author: TRUST }),
    'handbook/flag-signals.html': FLAG_SIGNALS,
    'handbook/fog-signals.xhtml': fogSignals(),
  };
}

/** One page a chapter. */
function handbookPdf() {
  const pages = HANDBOOK.chapters.map((chapter, i) => {
    const body = chapter.paragraphs.flatMap((text) => [...wrap(text).map((line) => ({ text: line })), { text: '' }]);
    const link = { text: 'https://lighthouse.portholm.example/', link: 'https://lighthouse.portholm.example/' };
    const end = { text: `${HANDBOOK.title} – page ${i + 1} of ${HANDBOOK.chapters.length}`, size: 9 };
    return [
      { text: chapter.title, size: 20, bold: true },
      { text: '' },
      ...body,
      ...(i === 0 ? [link] : []),
      { text: '' },
      end,
    ];
  });
  return makePdf({ ...HANDBOOK, author: TRUST, pages });
}

const FLAG_SIGNALS = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Flag signals of the harbour of Portholm</title>
<meta name="description" content="What the flags on the mast of the harbour office mean">
<meta name="keywords" content="flags, signals, harbour, ferry">
<meta name="author" content="${TRUST}">
<style>td { padding: 0.3em 1em }</style>
<script>document.title += ' – online';</script>
</head>
<body>
<h1>Flag signals</h1>
<p>The mast stands on the roof of the old customs house and can be seen from every berth.</p>
<table>
<tr><th>Flag</th><th>Meaning</th></tr>
<tr><td>Red ball</td><td>The harbour is closed. Wait behind the breakwater.</td></tr>
<tr><td>Blue pennant</td><td>The ferry Kittiwake leaves within ten minutes.</td></tr>
<tr><td>Yellow &amp; black</td><td>Fog is expected; the foghorn on the lighthouse is ready.</td></tr>
<tr><td>White herring</td><td>Fish market from six o&rsquo;clock.</td></tr>
</table>
<p>Questions? <a href="mailto:harbour@portholm.example">Write to the harbour office.</a></p>
</body>
</html>
`;

function fogSignals() {
  const rows = [
    ['Lighthouse on Gannet Point', 'two blasts of three seconds every minute'],
    ['Breakwater, north head', 'a bell, rung by the sea'],
    ['Ferry Kittiwake under way', 'one long blast every two minutes'],
    ['Anybody at anchor', 'a rapidly rung bell for five seconds'],
  ];
  const list = rows.map(([place, sound]) => `<dt>${escapeXml(place)}</dt><dd>${escapeXml(sound)}</dd>`).join('\n');
  return Buffer.from(makeXhtml('Fog signals in Portholm Bay', `<h1>Fog signals</h1>\n<dl>\n${list}\n</dl>`));
}
