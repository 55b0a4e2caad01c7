import { faultContract } from '../../contract/fault-contract.js';
import { CuttingProxy } from '../../support/cutting-proxy.js';
import { describeWith } from '../../support/program.js';
import { s3Source } from '../../support/remote-sources.js';
import { S3Server } from '../../support/s3-server.js';

describeWith(['versitygw'], 'S3 source: network faults', () => {
  faultContract('S3 source', async () => {
    const server = await S3Server.start();
    const proxy = await CuttingProxy.start({ ports: [server.port] });
    const endpoint = new URL(`http://127.0.0.1:${proxy.port}`);
    const patience = { connectMs: 2000, silenceMs: 1000 };
    return {
      tree: server.tree(''),
      proxy,
      server,
      open: () => s3Source(server, { endpoint, patience }),
      end: () => server.stop(),
    };
  });
});
