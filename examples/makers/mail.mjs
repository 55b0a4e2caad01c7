/** Internet mail: a text, the same as HTML, and attachments. */
export function makeMail({ from, to, cc, subject, date, id, text, html, attachments = [] }) {
  const head = [
    `From: ${from}`,
    `To: ${to}`,
    ...(cc === undefined ? [] : [`Cc: ${cc}`]),
    `Subject: ${encodedWord(subject)}`,
    `Date: ${date}`,
    `Message-ID: <${id}@portholm.example>`,
    'MIME-Version: 1.0',
  ];
  const alternatives = part('multipart/alternative; boundary="words"', [], '', [
    part('text/plain; charset=utf-8', ['Content-Transfer-Encoding: base64'], base64(Buffer.from(text))),
    part('text/html; charset=utf-8', ['Content-Transfer-Encoding: base64'], base64(Buffer.from(html))),
  ]);
  if (attachments.length === 0) return lines(...head, alternatives);
  const files = attachments.map(({ name, type, bytes }) =>
    part(
      `${type}; name="${name}"`,
      ['Content-Transfer-Encoding: base64', `Content-Disposition: attachment; filename="${name}"`],
      base64(bytes),
    ),
  );
  return lines(...head, part('multipart/mixed; boundary="letter"', [], '', [alternatives, ...files]));
}

/** A mailbox of plain messages, each behind a line that begins with "From ". */
export function makeMailbox(messages) {
  return messages
    .map(({ from, to, subject, date, envelope, text }) =>
      lines(
        `From ${envelope}`,
        `From: ${from}`,
        `To: ${to}`,
        `Subject: ${encodedWord(subject)}`,
        `Date: ${date}`,
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: 8bit',
        '',
        text.replace(/^From /gm, '>From '),
        '',
        '',
      ),
    )
    .join('');
}

function part(type, headers, body, parts = []) {
  const boundary = /boundary="(.+)"/.exec(type)?.[1];
  const inner =
    boundary === undefined ? body : [...parts.map((item) => lines(`--${boundary}`, item)), `--${boundary}--`].join('');
  return lines(`Content-Type: ${type}`, ...headers, '', inner);
}

function lines(...parts) {
  return parts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('');
}

function base64(bytes) {
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/(.{76})/g, '$1\n');
}

function encodedWord(text) {
  return /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
}
