import { faultContract } from '../../contract/fault-contract.js';
import { CuttingProxy } from '../../support/cutting-proxy.js';
import { describeWith } from '../../support/program.js';
import { sshSource } from '../../support/remote-sources.js';
import { folderTree } from '../../support/source-tree.js';
import { SshServer } from '../../support/ssh-server.js';

describeWith(['sshd'], 'SSH source: network faults', () => {
  faultContract('SSH source', async () => {
    const server = await SshServer.start();
    const proxy = await CuttingProxy.start({ ports: [server.port] });
    const patience = { connectMs: 2000, silenceMs: 1000 };
    return {
      tree: folderTree(server.files, server.files),
      proxy,
      server,
      open: () => sshSource(server, { port: proxy.port, patience }),
      end: () => server.stop(),
    };
  });
});
