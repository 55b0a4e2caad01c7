import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { FtpServer } from '../../support/ftp-server.js';
import { describeWith } from '../../support/program.js';
import { ftpSource } from '../../support/remote-sources.js';

const never = new AbortController().signal;
const run = promisify(execFile);
const AUTHORITY = join(import.meta.dirname, '../../support/tls/ca.pem');
const SOURCE = pathToFileURL(resolve(process.env['PROGRAM_DIST'] ?? 'dist', 'source/ftp/ftp-source.js')).href;

/** Lists and reads in a process of its own, since Node reads the trusted authorities only when it starts. */
const CLIENT = `
  const { FtpSource } = await import(process.argv[1]);
  const { root, ...server } = JSON.parse(process.argv[2]);
  const guard = { check: () => undefined };
  const timeouts = { connectMs: 5000, silenceMs: 5000 };
  const source = new FtpSource({ followSymlinks: false, server: { ...server, guard, timeouts } });
  const signal = new AbortController().signal;
  const seen = [];
  for (let time = 0; time < 2; time += 1) {
    for await (const batch of source.list(root, signal)) {
      for (const entry of batch) {
        let length = 0;
        for await (const chunk of await source.read(entry, signal)) length += chunk.length;
        seen.push([entry.name, length]);
      }
    }
  }
  await source.close();
  console.log(JSON.stringify(seen));
`;

describeWith(['proftpd', 'vsftpd'], 'FTP over TLS', () => {
  test.each([
    ['proftpd', 'explicit'],
    ['proftpd', 'implicit'],
    ['vsftpd', 'explicit'],
    ['vsftpd', 'implicit'],
  ] as const)(
    '%s, %s: lists and reads when the authority of its certificate is trusted, and not otherwise',
    async (kind, tls) => {
      const server = await FtpServer.start({ kind, tls });
      try {
        const { port, user, password, root } = server;
        writeFileSync(join(server.files, 'file.bin'), Buffer.alloc(300_000, 'x'));
        const place = { host: 'localhost', port, user, password, tls, root };
        const { stdout } = await run(
          process.execPath,
          ['--input-type=module', '-e', CLIENT, SOURCE, JSON.stringify(place)],
          { env: { ...process.env, NODE_EXTRA_CA_CERTS: AUTHORITY } },
        );
        expect(JSON.parse(stdout)).toEqual([
          ['file.bin', 300_000],
          ['file.bin', 300_000],
        ]);
        const stranger = ftpSource(server, { host: 'localhost', tls });
        await expect(stranger.probe(root, never)).rejects.toMatchObject({
          code: 'denied',
          message: expect.stringContaining('NODE_EXTRA_CA_CERTS') as unknown,
        });
        await stranger.close();
      } finally {
        await server.stop();
      }
    },
  );
});
