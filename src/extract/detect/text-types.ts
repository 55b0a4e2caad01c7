import { HTML, TEXT, XML } from './type-names.js';
import { typeOfXml } from './xml-types.js';

/**
 * Text formats by how they begin. The first row that fits decides. A row is a type and patterns that must all be found;
 * HTML and XML are looked at more closely afterwards.
 */
type TextRow = readonly [type: string, ...patterns: (RegExp | Near)[]];

/** Found anywhere in the first so many characters. */
interface Near {
  readonly within: number;
  readonly find: RegExp;
}

/** Headers that count in any case, and those that only count in the case of mail programs: other texts begin so too. */
const HEADERS =
  'Content-(?:ID|Location|Transfer-Encoding|Type)|Date|From|Message-ID|MIME-Version|Received|Relay-Version|' +
  'Return-Path|X-Originating-IP';
const CAPITALIZED = 'Delivered-To|Sent|Status|Subject|To|User-Agent|X-Mailer';
const FIRST_HEADERS = [new RegExp(`^(?:${HEADERS}):`, 'i'), new RegExp(`^(?:${CAPITALIZED}):`)];
const FURTHER_HEADERS = [
  new RegExp(`\\n(?:${HEADERS}):`, 'i'),
  new RegExp(`\\n(?:${CAPITALIZED}|DKIM-[\\w-]+|ARC-[\\w-]+):`),
];

/** What the first mail of a mailbox has behind the line that separates mails; other mails may begin with such a line, too. */
const MAILBOX_HEADER = /\n(?:(?:From|Date|Subject|Delivered-To|Mime-Version): |Received: (?:by|via|from) )/;

function mailRows(start: readonly RegExp[], within: number): TextRow[] {
  return start.flatMap((begins) =>
    FURTHER_HEADERS.map((find): TextRow => ['message/rfc822', begins, { within, find }]),
  );
}

const ROWS: readonly TextRow[] = [
  ['application/mbox', /^From /, { within: 270, find: MAILBOX_HEADER }],
  ['application/mbox', /^From /, { within: 260, find: /\nX-/i }, { within: 8_200, find: MAILBOX_HEADER }],
  ['application/x-tmx', { within: 260, find: /<tmx/ }],
  [HTML, /^<(?:html|head|body|title|div)[ >]/i],
  [HTML, /^<h[123][ >]/i],
  ['multipart/related', /^From: [<"]Saved by /i, /\nContent-Type: multipart\/related/i],
  ['multipart/related', /^MIME-Version: 1\.0/, { within: 530, find: /\nContent-Type: multipart\/related/ }],
  ['application/x-httpresponse', /^HTTP\//, { within: 1000, find: /\n(?:Cache-Control|Content-Type|Date|Server):/ }],
  ['message/news', /^(?:Path|Xref):/],
  ['text/x-robots', /^(?:user-agent|allow|disallow|sitemap):/i],
  ['message/rfc822', /^(?:Return-Path|Message-ID|Relay-Version|X-Mailer):/i],
  ...mailRows([/^(?:X|DKIM|ARC)-[\w-]+:/], 8_192),
  ...mailRows(FIRST_HEADERS, 1_024),
  [XML, /^\s*<\?xml/i],
  ['image/svg+xml', /^<svg/, /http:\/\/www\.w3\.org\/2000\/svg/],
  ['text/x-vcalendar', /^BEGIN:VCALENDAR/, /\nVERSION:1\.0/],
  ['text/calendar', /^BEGIN:VCALENDAR/],
  ['text/x-vcard', /^BEGIN:VCARD/],
  ['application/postscript', /^%!/],
  ['application/vnd.fdf', /^%FDF-/],
  ['application/pdf', { within: 1024, find: /%PDF-[12]\./ }],
  ['text/x-perl', /^#! ?\/(?:usr\/(?:local\/)?)?bin\/(?:env )?perl/],
  ['text/x-python', /^#! ?\/(?:usr\/(?:local\/)?)?bin\/(?:env )?python/],
  ['text/x-awk', /^#! ?\/(?:usr\/(?:local\/)?)?bin\/g?awk/],
  ['text/x-makefile', /^#! ?\/(?:usr\/(?:local\/)?)?bin\/(?:env )?make/],
  ['application/x-sh', /^#![ \t]?\//],
  ['text/x-php', /^<\?php/],
  ['text/x-jsp', /^<%(?:@|--)/],
  ['text/vtt', /^WEBVTT(?:\s|$)/],
  ['application/x-subrip', /^1\r?\n\d\d:\d\d:\d\d/],
  ['application/vnd.apple.mpegurl', /^#EXTM3U/],
  ['text/x-diff', /^(?:diff |\*\*\* |Only in |Common subdirectories: |Index:)/],
  ['text/troff', /^(?:\.\\"|'\\"|'\.\\"|\\"|''')/],
  [
    'application/x-bibtex-text-file',
    /^(?:% BibTeX |@(?:article|book|inbook|incollection|inproceedings|manual|misc|preamble|string)\s*\{)/i,
  ],
  ['application/x-tex', /^\\(?:input|section|setlength|documentstyle|chapter|documentclass|relax|contentsline)/],
  ['application/x-x509-cert; format=pem', /^-----BEGIN CERTIFICATE-----/],
  ['application/x-x509-key; format=pem', /^-----BEGIN (?:(?:RSA |DSA )?PRIVATE |PUBLIC |RSA )?KEY-----/],
  ['application/pkcs7-signature', /^-----BEGIN PKCS7/],
  ['image/vnd.dxf; format=ascii', /^(?:999\r?\n[^\r\n]{0,64}\s+)?\s*0\r?\nSECTION\r?\n/],
  ['text/vnd.graphviz', /^\s*(?:strict\s+)?(?:di)?graph\b[^\n{]*\{/],
  ['application/vnd.mif', /^<(?:MakerFile|MIFFile|MML|Maker)/],
  ['application/x-adobe-indesign-interchange', { within: 105, find: /<\?aid/ }],
  ['application/x-bat', /^(?:@echo off|rem )/i],
  [HTML, { within: 80, find: /<!DOCTYPE HTML|<HEAD|<TITLE/i }],
  [HTML, { within: 133, find: /<html/i }],
  [XML, /^\s*<!--/],
  ['text/x-csrc', /^#include /],
  ['text/x-chdr', /^#ifndef /],
  ['message/rfc822', { within: 1012, find: /\nMessage-ID:/i }],
  [HTML, /<html/],
];

/** The type of a text by its first characters (a byte order mark removed); `text/plain` when nothing is special about it. */
export function typeOfText(head: string): string {
  const row = ROWS.find(([, ...patterns]) => patterns.every((pattern) => fits(pattern, head)));
  if (row === undefined) return TEXT;
  const type = row[0];
  if (type === XML) return typeOfXml(head) ?? (/<html|<!doctype html/i.test(head) ? HTML : TEXT);
  if (type === HTML) return xhtmlOrHtml(head);
  return type;
}

function xhtmlOrHtml(head: string): string {
  const type = typeOfXml(head);
  return type === undefined || type === XML ? HTML : type;
}

function fits(pattern: RegExp | Near, head: string): boolean {
  return pattern instanceof RegExp ? pattern.test(head) : pattern.find.test(head.slice(0, pattern.within));
}
