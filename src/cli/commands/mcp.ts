import { dirname, resolve } from 'node:path';
import { argv, execPath } from 'node:process';
import { hasSettings } from '../../settings/jobs.js';
import { EXIT_OK } from '../exit-codes.js';
import { withInspectedJob, type InspectedJobContext } from '../jobs/inspected-job.js';
import { mcpConfig } from '../mcp-config.js';
import type { McpOptions } from '../options.js';
import { stopRequest } from '../signals.js';
import { writeOut } from '../write-out.js';

/** What a library still holds open must not keep the process longer than a client waits. */
const END_MS = 1000;

/** `crawler mcp <job>`: serves one assistant over stdin and stdout until stdin ends, or a signal comes. */
export async function mcp(argument: string, options: McpOptions): Promise<number> {
  return await withInspectedJob(argument, options, { command: 'mcp', purpose: 'tree' }, async (job) => {
    if (options.printConfig === undefined) return await serve(job);
    await writeOut(mcpConfig(options.printConfig, commandOf(job, options)));
    return EXIT_OK;
  });
}

async function serve(job: InspectedJobContext): Promise<number> {
  const [{ mcpOfJob }, { serveStdio }] = await Promise.all([
    import('../../app/mcp-of-job.js'),
    import('../../mcp/serve-stdio.js'),
  ]);
  const server = mcpOfJob(job, job.loaded.originOf);
  const serving = serveStdio(server.context, job.signal);
  console.error(`The MCP server of the job [${job.settings.name}] is ready.`);
  try {
    await serving;
  } finally {
    stopRequest().exitAfter(END_MS, EXIT_OK);
    await server.close();
  }
  return EXIT_OK;
}

/** A folder without a job is named by its path: it may become a job while a client has it in its list. */
function commandOf(
  { settings, jobDirectory }: InspectedJobContext,
  { set }: McpOptions,
): Parameters<typeof mcpConfig>[1] {
  const { name, fs, rest } = settings;
  const configDir = dirname(jobDirectory);
  const job = hasSettings(configDir, name) ? name : fs.url;
  const overrides = set.flatMap((each) => ['--set', each]);
  return {
    name,
    command: execPath,
    args: [resolve(argv[1] ?? ''), 'mcp', job, '--config_dir', configDir, ...overrides],
    url: `${rest.url.replace(/\/$/, '')}/mcp`,
  };
}
