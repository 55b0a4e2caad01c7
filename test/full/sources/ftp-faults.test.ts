import { faultContract } from '../../contract/fault-contract.js';
import { CuttingProxy } from '../../support/cutting-proxy.js';
import { FtpServer } from '../../support/ftp-server.js';
import { describeWith } from '../../support/program.js';
import { ftpSource } from '../../support/remote-sources.js';
import { folderTree } from '../../support/source-tree.js';

const MIRROR = '127.0.0.2';

for (const [kind, name] of [
  ['proftpd', 'FTP source'],
  ['vsftpd', 'FTP source against vsftpd'],
] as const) {
  describeWith([kind], `${name}: network faults`, () => {
    faultContract(name, async () => {
      const server = await FtpServer.start({ kind });
      const { port, passivePorts, files, root } = server;
      const proxy = await CuttingProxy.start({ ports: [port, ...passivePorts], mirrorOn: MIRROR });
      const patience = { connectMs: 2000, silenceMs: 1000 };
      return {
        tree: folderTree(files, root),
        proxy,
        server,
        open: () => ftpSource(server, { host: MIRROR, patience }),
        dataPorts: (each) => each !== port,
        end: () => server.stop(),
      };
    });
  });
}
