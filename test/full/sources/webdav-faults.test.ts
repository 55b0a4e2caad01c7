import { faultContract } from '../../contract/fault-contract.js';
import { CuttingProxy } from '../../support/cutting-proxy.js';
import { describeWith } from '../../support/program.js';
import { folderTree } from '../../support/source-tree.js';
import { WebdavServer, webdavSource } from '../../support/webdav-server.js';

describeWith(['apache2'], 'WebDAV source: network faults', () => {
  faultContract('WebDAV source', async () => {
    const server = await WebdavServer.start();
    const proxy = await CuttingProxy.start({ ports: [server.port] });
    const timeouts = { connectMs: 2000, silenceMs: 1000 };
    return {
      tree: folderTree(server.files, '/'),
      proxy,
      server,
      open: () => webdavSource(`http://127.0.0.1:${proxy.port}/dav`, { timeouts }),
      end: () => server.stop(),
    };
  });
});
