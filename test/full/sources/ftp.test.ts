import { sourceContract } from '../../contract/source-contract.js';
import { FtpServer, type FtpServerOptions } from '../../support/ftp-server.js';
import { describeWith } from '../../support/program.js';
import { ftpSource } from '../../support/remote-sources.js';
import { folderTree } from '../../support/source-tree.js';

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

function contractOf(name: string, datePrecisionMs: number, options: FtpServerOptions): void {
  sourceContract(name, async () => {
    const server = await FtpServer.start(options);
    const tree = folderTree(server.files, server.root);
    return { tree, datePrecisionMs, source: ftpSource(server), end: () => server.stop() };
  });
}

describeWith(['proftpd'], 'FTP source', () => {
  contractOf('over MLSD', SECOND_MS, { kind: 'proftpd' });
  contractOf('over LIST', DAY_MS, { kind: 'proftpd', mlsd: false });
});

describeWith(['vsftpd'], 'FTP source against vsftpd', () => {
  contractOf('over LIST', DAY_MS, { kind: 'vsftpd' });
});
