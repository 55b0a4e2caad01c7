import { sourceContract } from '../../contract/source-contract.js';
import { describeWith } from '../../support/program.js';
import { folderTree } from '../../support/source-tree.js';
import { WebdavServer, webdavSource } from '../../support/webdav-server.js';

describeWith(['apache2'], 'WebDAV source', () => {
  sourceContract('Apache', async () => {
    const server = await WebdavServer.start();
    const source = webdavSource(server.url);
    return { tree: folderTree(server.files, '/'), source, datePrecisionMs: 1000, end: () => server.stop() };
  });
});
