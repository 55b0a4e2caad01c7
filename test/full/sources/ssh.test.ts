import { sourceContract } from '../../contract/source-contract.js';
import { describeWith } from '../../support/program.js';
import { sshSource } from '../../support/remote-sources.js';
import { folderTree } from '../../support/source-tree.js';
import { SshServer } from '../../support/ssh-server.js';

describeWith(['sshd'], 'SSH source', () => {
  sourceContract('over SFTP', async () => {
    const server = await SshServer.start();
    const tree = folderTree(server.files, server.files);
    return { tree, datePrecisionMs: 1000, source: sshSource(server), end: () => server.stop() };
  });
});
