import { sourceContract } from '../../contract/source-contract.js';
import { describeWith } from '../../support/program.js';
import { s3Source } from '../../support/remote-sources.js';
import { S3Server } from '../../support/s3-server.js';

const PLACES = [
  ['a whole bucket', ''],
  ['a prefix', 'some/prefix ü/'],
] as const;

describeWith(['versitygw'], 'S3 source', () => {
  for (const [name, prefix] of PLACES) {
    sourceContract(name, async () => {
      const server = await S3Server.start();
      // Dates are when the test wrote, give or take the time that it takes.
      return { tree: server.tree(prefix), source: s3Source(server), datePrecisionMs: 60_000, end: () => server.stop() };
    });
  }
});
