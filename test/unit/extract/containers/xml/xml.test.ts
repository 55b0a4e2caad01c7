import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseXml, type XmlAttributes } from '../../../../../src/extract/containers/xml/xml.js';

/** What a visitor hears, one line an event. */
function eventsOf(source: Uint8Array | string, attributes: readonly string[] = []): string[] {
  const events: string[] = [];
  parseXml(source, {
    open: (name, given: XmlAttributes) => {
      const shown = attributes.map((each) => `${each}=${given.get(each) ?? ''}`);
      events.push([`<${name}`, ...shown].join(' '));
    },
    text: (text) => events.push(text),
    close: (name) => events.push(`/${name}`),
  });
  return events;
}

describe('elements and text', () => {
  test('come in document order, without prefixes', () => {
    expect(eventsOf('<w:a xmlns:w="x"><w:b>one</w:b>two<c/></w:a>')).toEqual([
      '<a',
      '<b',
      'one',
      '/b',
      'two',
      '<c',
      '/c',
      '/a',
    ]);
  });

  test('text has its references resolved, CDATA is text, comments and instructions are not', () => {
    const source = '<?xml version="1.0"?><a>&lt;&#65;&#x1F600;&amp;<!-- no --><![CDATA[<&amp;>]]><?skip me?></a>';
    expect(eventsOf(source)).toEqual(['<a', '<A😀&', '<&amp;>', '/a']);
  });

  test('nothing that a document type declares is expanded', () => {
    const entities = Array.from({ length: 30 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`);
    const text = eventsOf(`<!DOCTYPE a [<!ENTITY e0 "lol">${entities.join('')}]><a>&e30;</a>`).filter(
      (event) => event === '&e30;',
    );
    expect(text).toEqual(['&e30;']);
  });

  test.each([
    ['a closing tag without an opening one is ignored', '<a></b>x</a>', ['<a', 'x', '/a']],
    ['open elements end with their parent', '<a><b><c>x</a>y', ['<a', '<b', '<c', 'x', '/c', '/b', '/a', 'y']],
    ['open elements end with the document', '<a><b>x', ['<a', '<b', 'x', '/b', '/a']],
    ['an unfinished tag is no element', '<a><b attr="x', ['<a', '/a']],
  ])('%s', (_, source, events) => {
    expect(eventsOf(source)).toEqual(events);
  });

  test('opening and closing pair up however deep it goes', () => {
    const events = eventsOf('<x>'.repeat(100_000) + 'deep');
    expect(events.filter((event) => event === '<x').length).toBe(events.filter((event) => event === '/x').length);
    expect(events).toContain('deep');
  });
});

describe('attributes', () => {
  test('are found by local name; one without prefix wins', () => {
    const source = '<a r:id="rel" id="own" w:val="1 &amp; 2" empty=""/>';
    expect(eventsOf(source, ['id', 'val', 'empty', 'missing'])[0]).toBe('<a id=own val=1 & 2 empty= missing=');
  });

  test('can be asked for with their prefix only', () => {
    let found: (string | undefined)[] = [];
    parseXml('<a id="own" rel:id="rel" xmlns:r="space"/>', {
      open: (_, attributes) => {
        found = [attributes.prefixed('id'), attributes.prefixed('r'), attributes.get('r')];
      },
    });
    expect(found).toEqual(['rel', undefined, undefined]);
  });
});

describe('encodings', () => {
  const text = '<?xml version="1.0" encoding="ENC"?><a>Grüße</a>';

  test.each([
    ['UTF-8', Buffer.from(text.replace('ENC', 'UTF-8'))],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text.replace('ENC', 'UTF-8')}`)],
    ['UTF-16 little-endian', Buffer.from(`\ufeff${text.replace('ENC', 'UTF-16')}`, 'utf16le')],
    ['UTF-16 big-endian without a mark', Buffer.from(text.replace('ENC', 'UTF-16'), 'utf16le').swap16()],
    ['ISO-8859-1', Buffer.from(text.replace('ENC', 'ISO-8859-1'), 'latin1')],
    ['an unknown one, which is taken for UTF-8', Buffer.from(text.replace('ENC', 'x-nobody-knows'))],
    ['UTF-16 by a declaration that lies', Buffer.from(text.replace('ENC', 'UTF-16'))],
  ])('%s', (_, bytes) => {
    expect(eventsOf(new Uint8Array(bytes))).toEqual(['<a', 'Grüße', '/a']);
  });
});

describe('long documents', () => {
  test('are the same however they fall into pieces', () => {
    const part = fc.constantFrom(
      '<a>',
      '</a>',
      '<b c="d&gt;e"/>',
      'text ',
      '&amp;',
      '&#8364;',
      '<!-- < > -->',
      '<![CDATA[<x>]]>',
      'ü'.repeat(50),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 200 }), fc.integer({ min: 65_000, max: 66_000 }), (parts, filler) => {
        const tail = parts.join('');
        const alone = eventsOf(`<r>${tail}`).slice(1).join('');
        const behind = eventsOf(Buffer.from(`<r>${'x'.repeat(filler)}${tail}`))
          .slice(1)
          .join('');
        expect(behind.replace(/^x+/, '')).toBe(alone);
      }),
      { numRuns: 100 },
    );
  });

  test('a comment, an attribute and a text that are longer than a piece stay whole', () => {
    const long = 'y<'.repeat(100_000);
    const value = 'v'.repeat(200_000);
    const text = 't'.repeat(200_000);
    const events = eventsOf(Buffer.from(`<a b="${value}"><!--${long}-->${text}<c/></a>`), ['b']);
    expect(events[0]).toBe(`<a b=${value}`);
    expect(events.slice(1, -3).join('')).toBe(text);
    expect(events.slice(-3)).toEqual(['<c b=', '/c', '/a']);
  });

  test('the walk ends when the visitor has enough', () => {
    let opened = 0;
    parseXml('<a><b/>'.repeat(100_000), {
      open: () => {
        opened++;
      },
      get done() {
        return opened > 0;
      },
    });
    expect(opened).toBeGreaterThan(0);
    expect(opened).toBeLessThan(30_000);
  });
});
