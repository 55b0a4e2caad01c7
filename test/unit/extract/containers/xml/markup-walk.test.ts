import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { MarkupWalk, type MarkupWalkOptions } from '../../../../../src/extract/containers/xml/markup-walk.js';

/** Everything that is heard of a page that comes in these pieces; neighbouring texts are one. */
function hear(pieces: readonly string[], mode: MarkupWalkOptions['mode']): string {
  let heard = '';
  const walk = new MarkupWalk(
    {
      open: (name, attributes) => (heard += `{${name}${JSON.stringify([...attributes])}}`),
      close: (name) => (heard += `{/${name}}`),
      text: (text) => (heard += text),
    },
    { mode, attributesOf: new Set(['meta', 'a']) },
  );
  for (const piece of pieces) walk.write(piece);
  walk.end();
  return heard;
}

const parts = fc.constantFrom(
  '<p>',
  '</p>',
  '<br/>',
  '<a href="x&amp;y" id=z>',
  "<meta name='n' content='a b'>",
  '<!-- a <b> comment -->',
  '<![CDATA[ raw <b> ]]>',
  '<?pi here?>',
  '<!DOCTYPE html>',
  '<script>if (a < b) { "<p>" }</script>',
  '<title>T &lt; U</title>',
  'words ',
  '&eacute; &#233; &unknown; & ',
  '< ',
);

test.each(['html', 'xhtml', 'xml'] as const)('%s is heard the same in whatever pieces it comes', (mode) => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), fc.array(fc.nat(200), { maxLength: 8 }), (page, cuts) => {
      const text = page.join('');
      const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
      expect(hear(pieces, mode)).toBe(hear([text], mode));
    }),
  );
});

test('a comment longer than many pieces is passed over', () => {
  const pieces = ['<p>before<!-- ', ...Array<string>(50).fill('<p>inside '), '--></p><b', '>after'];
  expect(hear(pieces, 'html')).toBe('{p[]}before{/p}{b[]}after');
});
