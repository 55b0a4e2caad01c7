import { afterAll } from '@jest/globals';
import { silentLogger } from '../../../src/base/logger.js';
import { ElasticEngine } from '../../../src/engine/elastic/elastic-engine.js';
import { ask, describeRealEngines } from '../../support/real-engines.js';
import { engineContract } from '../../contract/engine-contract.js';
import { findContract } from '../../contract/find-contract.js';
import { nearnessContract } from '../../contract/nearness-contract.js';

const index = 'contract_mappings';
const parts = ['attributes', 'file', 'path', 'attachment', 'content', 'meta'];
const template = '/_index_template/contract_mappings_everywhere';

describeRealEngines('the elastic engine', (url) => {
  const open = async (): Promise<ElasticEngine> => {
    const engine = new ElasticEngine({
      connection: { urls: [url()], sslVerification: true },
      templates: {
        jobName: 'contract_job',
        index,
        indexFolder: 'contract_folders',
        pushTemplates: true,
        forcePushTemplates: true,
        semanticSearch: false,
        foldersWanted: false,
        documentsWanted: true,
      },
      startTimeoutMs: 60_000,
      logger: silentLogger,
    });
    await engine.prepare(new AbortController().signal);
    // The indices of the contract have other names than the one of a job, and shall have its mapping.
    await ask(url(), 'PUT', template, {
      index_patterns: ['contract-*'],
      priority: 700,
      composed_of: parts.map((part) => `fscrawler_${index}_mapping_${part}`),
    });
    return engine;
  };
  engineContract('the elastic engine', open);
  nearnessContract('the elastic engine', open);
  findContract('the elastic engine', open);

  afterAll(async () => {
    const indices = (await ask(url(), 'GET', '/_cat/indices/contract-*?format=json')) as { index: string }[];
    for (const each of indices) await ask(url(), 'DELETE', `/${each.index}`);
    await ask(url(), 'DELETE', template);
    await ask(url(), 'DELETE', `/_index_template/fscrawler_${index}_docs`);
  });
});
