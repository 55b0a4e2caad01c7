import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from '@jest/globals';
import { detectByHead, detectType } from '../../../../src/extract/detect/detect-type.js';
import { typeOfName } from '../../../../src/extract/detect/name-types.js';
import { makeTar, makeZip } from '../../../support/make-archive.js';

function latin(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

const binary = latin('\0\x01\x02\xff\xfe\x80');

describe('binary formats are known by their first bytes, whatever they are called', () => {
  test.each([
    ['%PDF-1.7\n', 'application/pdf'],
    ['\xef\xbb\xbf%PDF-1.4', 'application/pdf'],
    ['HTTP junk before\n%PDF-1.4 and so on', 'application/pdf'],
    ['{\\rtf1\\ansi', 'application/rtf'],
    ['\x89PNG\r\n\x1a\n\0\0', 'image/png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['GIF89a\x01\0', 'image/gif'],
    ['II*\0\x08', 'image/tiff'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\x10\0\0\0WAVEfmt ', 'audio/vnd.wave'],
    ['RIFF\x10\0\0\0AVI LIST', 'video/x-msvideo'],
    ['8BPS\0\x01', 'image/vnd.adobe.photoshop'],
    ['ID3\x03\0', 'audio/mpeg'],
    ['\xff\xfb\x90\x44', 'audio/mpeg'],
    ['fLaC\0', 'audio/x-flac'],
    [`OggS\0${'\0'.repeat(23)}\x01vorbis`, 'audio/vorbis'],
    [`OggS\0${'\0'.repeat(23)}OpusHead`, 'audio/opus'],
    [`OggS\0${'\0'.repeat(23)}unknown`, 'application/ogg'],
    ['\0\0\0\x18ftypM4A \0', 'audio/mp4'],
    ['\0\0\0\x18ftypmp42\0', 'video/mp4'],
    ['\0\0\0\x18ftypqt  \0', 'video/quicktime'],
    ['\0\0\0\x18ftypheic\0', 'image/heic'],
    ['7z\xbc\xaf\x27\x1c\0', 'application/x-7z-compressed'],
    ['Rar!\x1a\x07\x01\0', 'application/x-rar-compressed; version=5'],
    ['\xfd7zXZ\0', 'application/x-xz'],
    ['BZh91AY&SY\xd8\0', 'application/x-bzip2'],
    ['\x28\xb5\x2f\xfd', 'application/zstd'],
    ['!BDN\0\0\0\0SM\0', 'application/vnd.ms-outlook-pst'],
    ['ITSF\x03\0', 'application/vnd.ms-htmlhelp'],
    ['\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1', 'application/onenote; format=one'],
    ['\0\x01\0\0Standard Jet DB\0', 'application/x-msaccess'],
    ['SQLite format 3\0', 'application/x-sqlite3'],
    ['\x7fELF\x02\x01', 'application/x-elf'],
    [`\x7fELF\x02\x01${'\0'.repeat(10)}\x03\0`, 'application/x-sharedlib'],
    [`\x7fELF\x01\x02${'\0'.repeat(10)}\0\x02`, 'application/x-executable'],
    [`\xcf\xfa\xed\xfe${'\0'.repeat(8)}\x02\0\0\0`, 'application/x-mach-o-executable'],
    ['\xca\xfe\xba\xbe\0\0\0\x02', 'application/x-mach-o-universal'],
    [`${'\0'.repeat(12)}\x62\x31\x05\0\x09\0\0\0`, 'application/x-berkeley-db; format=btree; version=9'],
    ['SIMPLE  =                    T / FITS', 'application/fits'],
    ['MZ\x90\0', 'application/x-msdownload'],
    ['\xca\xfe\xba\xbe\0\0\0\x34', 'application/java-vm'],
    [`\x01\0\0\0${'\0'.repeat(36)} EMF`, 'image/emf'],
  ])('%j', async (bytes, type) => {
    expect(await detectType(latin(bytes), 'any-name')).toBe(type);
    expect(await detectType(latin(bytes), 'called.java')).toBe(type);
  });
});

describe('text formats are known by how they begin', () => {
  test.each([
    ['Just some words.', 'text/plain'],
    ['Grüße, in UTF-8', 'text/plain'],
    ['<?xml version="1.0"?>\n<note>x</note>', 'application/xml'],
    ['<!-- comment --><note>x</note>', 'application/xml'],
    ['<html><body>x', 'text/html'],
    ['<!DOCTYPE html>\n<head>', 'text/html'],
    ['  \n<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', 'text/html'],
    ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head/></html>', 'application/xhtml+xml'],
    ['<?xml version="1.0"?><html><p>unclosed', 'text/html'],
    ['<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['<svg width="1" xmlns="http://www.w3.org/2000/svg"><g/></svg>', 'image/svg+xml'],
    ['<?xml version="1.0"?><rss version="2.0"><channel/></rss>', 'application/rss+xml'],
    ['<?xml version="1.0"?><a:feed xmlns:a="http://www.w3.org/2005/Atom"/>', 'application/atom+xml'],
    [
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><kml xmlns="http://www.opengis.net/kml/2.2"/>',
      'application/vnd.google-earth.kml+xml',
    ],
    ['<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"/>', 'text/plain'],
    [
      '<?xml version="1.0"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"/>',
      'application/x-fictionbook+xml',
    ],
    [
      '<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="application/vnd.oasis.opendocument.text"/>',
      'application/vnd.oasis.opendocument.flat.text',
    ],
    ['Received: from a by b\nFrom: a@example.com\n\nHello', 'message/rfc822'],
    ['From: a@example.com\nTo: b@example.com\nSubject: x\n\nHello', 'message/rfc822'],
    ['to: somebody\nsubject: a list of things\nstatus: open\n', 'text/plain'],
    ['X-Spam: no\nReturn-Path: <a@example.com>\n\nHello', 'message/rfc822'],
    ['From a@example.com Mon Jan 01 00:00:00 2026\nReturn-Path: <a@example.com>\nDate: x\n\nHello', 'application/mbox'],
    [
      `From a@example.com Mon Jan 01 00:00:00 2026\nX-Labels: ${'label, '.repeat(100)}\nReceived: by b\n\nHello`,
      'application/mbox',
    ],
    ['From a@example.com Mon Jan 01 00:00:00 2026\nMIME-Version: 1.0\nMessage-Id: <1@b>\n\nHello', 'message/rfc822'],
    ['MIME-Version: 1.0\nContent-Type: multipart/related; boundary="x"\n\n', 'multipart/related'],
    [
      'From: <Saved by Blink>\nSnapshot-Content-Location: x\nMIME-Version: 1.0\nContent-Type: multipart/related;\n',
      'multipart/related',
    ],
    ['BEGIN:VCARD\nVERSION:3.0\n', 'text/x-vcard'],
    ['BEGIN:VCALENDAR\nVERSION:2.0\n', 'text/calendar'],
    ['BEGIN:VCALENDAR\nVERSION:1.0\n', 'text/x-vcalendar'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\nHi', 'text/vtt'],
    ['1\n00:00:01,000 --> 00:00:02,000\nHi', 'application/x-subrip'],
    ['#!/bin/sh\necho', 'application/x-sh'],
    ['#!/usr/bin/env python\n', 'text/x-python'],
    ['<?php echo 1;', 'text/x-php'],
    ['%!PS-Adobe-3.0\n', 'application/postscript'],
    ['diff --git a b\n', 'text/x-diff'],
    ['\\documentclass{article}', 'application/x-tex'],
    ['@article{key, title=x}', 'application/x-bibtex-text-file'],
    ['-----BEGIN CERTIFICATE-----\n', 'application/x-x509-cert; format=pem'],
    ['#include <stdio.h>\n', 'text/x-csrc'],
  ])('%j is %s', async (text, type) => {
    expect(await detectType(Buffer.from(text), '')).toBe(type);
  });

  test.each(['utf16le', 'utf-16be'] as const)('XML in %s is XML', async (encoding) => {
    const text = Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><note>words</note>', 'utf16le');
    expect(await detectType(encoding === 'utf16le' ? text : text.swap16(), 'a.xml')).toBe('application/xml');
  });

  test.each(['MZ at the start of a sentence', 'PAR1 is a code', 'ID3 is a tag', 'GRIB data are weather data'])(
    'letters that happen to be a signature do not turn text into something else: %s',
    async (text) => {
      expect(await detectType(Buffer.from(text), 'note.txt')).toBe('text/plain');
    },
  );
});

test.each([
  ['Shift_JIS', '全文検索の技術調査について。'],
  ['koi8-r', 'Все люди рождаются свободными и равными в своем достоинстве. '],
  ['gbk', '人人生而自由,在尊严和权利上一律平等。'],
])('text in %s is text without a name that says so', async (charset, text) => {
  expect(await detectType(iconv.encode(text.repeat(10), charset), 'LIESMICH')).toBe('text/plain');
});

describe('the name refines what the content allows', () => {
  test.each([
    ['words', 'Main.java', 'text/x-java-source'],
    ['words', 'README.md', 'text/markdown'],
    ['words', 'a.CSV', 'text/csv'],
    ['words', 'Makefile', 'text/x-makefile'],
    ['words', 'app.log', 'text/x-log'],
    ['words', 'a.yml', 'text/x-yaml'],
    ['words', 'some/folder/a.py', 'text/x-python'],
    ['{"a":1}', 'a.json', 'application/json'],
    ['<a/>', 'schema.xsd', 'application/xml'],
    ['words', 'a.pdf', 'text/plain'],
    ['words', 'a.docx', 'text/plain'],
    ['<?xml version="1.0"?><x/>', 'a.rdf', 'application/rdf+xml'],
    ['<?xml version="1.0"?><x/>', 'a.txt', 'application/xml'],
    ['From: a@example.com\nTo: b@example.com\n\nx', 'page.mhtml', 'multipart/related'],
  ])('%j called %s is %s', async (text, name, type) => {
    expect(await detectType(Buffer.from(text), name)).toBe(type);
  });

  test.each([
    ['a.dwg', 'image/vnd.dwg'],
    ['a.txt', 'text/plain'],
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.unknown', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('bytes that say nothing are what they are called: %s', async (name, type) => {
    expect(await detectType(binary, name)).toBe(type);
  });

  test('the longest known extension counts, and case does not', () => {
    expect(typeOfName('crawl.WARC.GZ')?.type).toBe('application/warc+gz');
    expect(typeOfName('a.b.c.Tar')?.type).toBe('application/x-tar');
    expect(typeOfName('constructor')).toBeUndefined();
    expect(typeOfName('a.__proto__')).toBeUndefined();
  });

  test('no extension is listed under two types', async () => {
    const tables = {
      ...(await import('../../../../src/extract/detect/text-extensions.js')),
      ...(await import('../../../../src/extract/detect/binary-extensions.js')),
    };
    const extensions = Object.values(tables).flatMap((table) =>
      Object.values(table).flatMap((list) => list.split(' ')),
    );
    expect(extensions.filter((extension, index) => extensions.indexOf(extension) !== index)).toEqual([]);
  });
});

describe('containers are looked into', () => {
  const rels = (type: string, target: string): string =>
    `<Relationships><Relationship Id="r1" Type="${type}" Target="${target}"/></Relationships>`;
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
  const ooxml = (part: string, type: string): Buffer =>
    makeZip([
      { name: '[Content_Types].xml', content: `<Types><Override PartName="/${part}" ContentType="${type}"/></Types>` },
      { name: '_rels/.rels', content: rels(office, part) },
      { name: part, content: '<x/>' },
    ]);
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

  test.each([
    [ooxml('word/document.xml', `${word}.document.main+xml`), `${word}.document`],
    [ooxml('word/document.xml', `${word}.template.main+xml`), `${word}.template`],
    [
      ooxml('word/document.xml', 'application/vnd.ms-word.document.macroEnabled.main+xml'),
      'application/vnd.ms-word.document.macroenabled.12',
    ],
    [
      ooxml('word/document.xml', 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml'),
      'application/vnd.ms-word.template.macroenabled.12',
    ],
    [
      ooxml('xl/workbook.bin', 'application/vnd.ms-excel.sheet.binary.macroEnabled.main'),
      'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    ],
    [makeZip([{ name: 'mimetype', content: 'application/epub+zip' }]), 'application/epub+zip'],
    [
      makeZip([{ name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet\n' }]),
      'application/vnd.oasis.opendocument.spreadsheet',
    ],
    [makeZip([{ name: 'META-INF/MANIFEST.MF', content: 'x' }]), 'application/java-archive'],
    [
      makeZip([
        { name: 'META-INF/MANIFEST.MF', content: 'x' },
        { name: 'AndroidManifest.xml', content: 'x' },
      ]),
      'application/vnd.android.package-archive',
    ],
    [makeZip([{ name: 'doc.kml', content: '<kml/>' }]), 'application/vnd.google-earth.kmz'],
    [
      makeZip([
        { name: 'Index/Slide-1.iwa', content: 'x' },
        { name: 'Metadata/BuildVersionHistory.plist', content: 'x' },
      ]),
      'application/vnd.apple.keynote.13',
    ],
    [
      makeZip([
        { name: 'Index/Document.iwa', content: 'x' },
        { name: 'Index/Slide-2.iwa', content: 'x' },
      ]),
      'application/vnd.apple.keynote.13',
    ],
    [
      makeZip([
        { name: 'index.apxl', content: '<k:presentation xmlns:k="http://developer.apple.com/namespaces/keynote2"/>' },
        { name: 'buildVersionHistory.plist', content: 'x' },
      ]),
      'application/vnd.apple.keynote',
    ],
    [makeZip([{ name: 'a.txt', content: 'x' }]), 'application/zip'],
  ])('a zip (%#)', async (bytes, type) => {
    expect(await detectType(bytes, 'no-name')).toBe(type);
    expect(await detectType(bytes, 'misleading.txt')).toBe(type);
  });

  test('an office document whose list of types is lost is what it is called', async () => {
    const zip = makeZip([{ name: 'word/document.xml', content: '<x/>' }]);
    expect(await detectType(zip, 'a.docx')).toBe(`${word}.document`);
    expect(await detectType(zip, 'a.zip')).toBe('application/zip');
  });

  test('the head alone says that it is a zip', () => {
    expect(detectByHead(ooxml('word/document.xml', `${word}.document.main+xml`).subarray(0, 100), '')).toBe(
      'application/zip',
    );
  });

  test.each([
    [makeTar([{ name: 'a', content: 'x' }]), 'a', 'application/x-tar'],
    [gzipSync('x'), 'a', 'application/gzip'],
    [gzipSync('x'), 'a.emz', 'image/x-emf-compressed'],
  ])('archives and compressed files (%#)', async (bytes, name, type) => {
    expect(await detectType(bytes, name)).toBe(type);
  });
});

test('any bytes under any name have a type, and nothing is thrown', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 700 }),
      fc.string(),
      fc.constantFrom('', 'PK\x03\x04', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', '<?xml'),
      async (bytes, name, start) => {
        expect(await detectType(Buffer.concat([latin(start), bytes]), name)).toMatch(/^[\w.+-]+\/[\w.+;= -]+$/);
      },
    ),
  );
});
