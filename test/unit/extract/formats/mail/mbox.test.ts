import { expect, test } from '@jest/globals';
import * as mboxExtractor from '../../../../../src/extract/formats/mail/mbox-extractor.js';
import { runFormat, type FormatResult } from '../../../../support/format-harness.js';
import { expectNoSurprises } from '../../mutations.js';

const MAILBOX = `From keeper@harbour.example Mon Jun 01 04:28:28 2009
Subject: =?utf-8?Q?the_l=C3=A0mp?=

The lamp is lit.
From here one sees the whole bay.
>From the quay as well.

From council@portholm.example Mon Jun 01 05:00:00 2009
Return-Path: <council@portholm.example>
Subject: an answer

Thank you.

From nobody@portholm.example Mon Jun 01 06:00:00 2009
To: keeper@harbour.example

No subject.
`;

function mailbox(text: string, maxCharacters?: number): Promise<FormatResult> {
  const input = { name: 'box.mbox', mediaType: 'application/mbox', bytes: Buffer.from(text) };
  return runFormat(mboxExtractor, input, maxCharacters === undefined ? {} : { maxCharacters });
}

test('each message is handed on, printed under its subject', async () => {
  const { parts } = await mailbox(MAILBOX);
  expect(parts.map((part) => part.name)).toEqual(['the làmp', 'an answer', '']);
  expect(parts.every((part) => part.mediaType === 'message/rfc822' && part.printName !== false)).toBe(true);
  expect(parts.map((part) => Buffer.from(part.bytes).toString().trimEnd().split('\n').at(-1))).toEqual([
    '>From the quay as well.',
    'Thank you.',
    'No subject.',
  ]);
});

test('a body line that begins with From separates nothing', async () => {
  const { parts } = await mailbox(MAILBOX);
  expect(Buffer.from(parts[0]?.bytes ?? []).toString()).toContain('From here one sees');
});

test.each([
  ['with Windows line ends', MAILBOX.replaceAll('\n', '\r\n'), 3],
  ['without a first separator', 'Subject: alone\n\nwords', 1],
  ['with separators alone', 'From a\nFrom b\n', 1],
  ['that is empty', '', 0],
])('a mailbox %s', async (_, text, messages) => {
  expect((await mailbox(text)).parts).toHaveLength(messages);
});

test('messages behind the character limit are left alone', async () => {
  expect((await mailbox(MAILBOX, 0)).parts).toEqual([]);
});

test('a damaged mailbox never fails in an unforeseen way', async () => {
  await expectNoSurprises(mboxExtractor, 'application/mbox', Buffer.from(MAILBOX));
});
