import { dirname, resolve } from 'node:path';
import { argv, execPath } from 'node:process';
import type { OwnJob } from '../../app/mcp-own-job.js';
import { makeConfigDirectory } from '../../settings/config-directory.js';
import { hasSettings } from '../../settings/jobs.js';
import { keepFilesPrivate } from '../../state/private-files.js';
import { EXIT_OK } from '../exit-codes.js';
import { writeAdHocSettings } from '../jobs/ad-hoc-job.js';
import { withInspectedJob, type InspectedJobContext } from '../jobs/inspected-job.js';
import { JobLocations } from '../jobs/job-locations.js';
import { resolveJob } from '../jobs/resolve-job.js';
import { logOptions } from '../log-options.js';
import { mcpConfig } from '../mcp-config.js';
import type { McpOptions } from '../options.js';
import { stopRequest } from '../signals.js';
import { writeOut } from '../write-out.js';

/** What a library still holds open must not keep the process longer than a client waits. */
const END_MS = 1000;

/** `crawler mcp <job>`: serves one assistant over stdin and stdout until stdin ends, or a signal comes. */
export async function mcp(argument: string, options: McpOptions): Promise<number> {
  const set = options.crawl ? [...options.set, 'fs.watch=true'] : options.set;
  return await withInspectedJob(argument, { ...options, set }, { command: 'mcp', purpose: 'tree' }, async (job) => {
    if (options.printConfig === undefined) return await serve(job, argument, options);
    await writeOut(mcpConfig(options.printConfig, commandOf(job, options)));
    return EXIT_OK;
  });
}

async function serve(job: InspectedJobContext, argument: string, options: McpOptions): Promise<number> {
  const [{ mcpOfJob }, { serveStdio }] = await Promise.all([
    import('../../app/mcp-of-job.js'),
    import('../../mcp/serve-stdio.js'),
  ]);
  const own = options.crawl || options.allowAdd ? await runHere(job, argument, options) : undefined;
  const server = mcpOfJob(job, job.loaded.originOf, options.allowAdd ? own?.job.add : undefined);
  const serving = serveStdio(server.context, job.signal);
  console.error(`The MCP server of the job [${job.settings.name}] is ready.`);
  try {
    await serving;
  } finally {
    stopRequest().exitAfter(END_MS, EXIT_OK);
    await own?.stop();
    await server.close();
  }
  return EXIT_OK;
}

interface RunHere {
  readonly job: OwnJob;
  stop(): Promise<void>;
}

/** The job runs in this process; what it has to say goes to the log files, since stdout belongs to the protocol. */
async function runHere(job: InspectedJobContext, argument: string, options: McpOptions): Promise<RunHere> {
  const [{ OwnJob }, { openLogs }] = await Promise.all([
    import('../../app/mcp-own-job.js'),
    import('../../app/logging.js'),
  ]);
  const { settings, jobDirectory, loaded, logger, signal } = job;
  const configDir = dirname(jobDirectory);
  const logging = logOptions(configDir, { silent: true, debug: false, trace: false });
  makeConfigDirectory(configDir);
  keepFilesPrivate({ configDir, jobDirectory, logDirectory: logging.directory });
  const { root } = resolveJob(argument, new JobLocations(configDir, options.set));
  if (root !== undefined && !hasSettings(configDir, settings.name))
    writeAdHocSettings(configDir, { name: settings.name, root });
  const logs = openLogs(logging);
  const own = new OwnJob({
    settings,
    jobDirectory,
    originOf: loaded.originOf,
    crawls: options.crawl,
    logger: logs.logger,
    documentLog: logs.documentLog,
    console: logger,
    signal,
  });
  return {
    job: own,
    stop: async () => {
      await own.stop();
      await logs.close();
    },
  };
}

/** A folder without a job is named by its path: it may become a job while a client has it in its list. */
function commandOf(
  { settings, jobDirectory }: InspectedJobContext,
  { set, crawl, allowAdd }: McpOptions,
): Parameters<typeof mcpConfig>[1] {
  const { name, fs, rest } = settings;
  const configDir = dirname(jobDirectory);
  const job = hasSettings(configDir, name) ? name : fs.url;
  const flags = [...(crawl ? ['--crawl'] : []), ...(allowAdd ? ['--allow-add'] : [])];
  const overrides = set.flatMap((each) => ['--set', each]);
  return {
    name,
    command: execPath,
    args: [resolve(argv[1] ?? ''), 'mcp', job, ...flags, '--config_dir', configDir, ...overrides],
    url: `${rest.url.replace(/\/$/, '')}/mcp`,
  };
}
