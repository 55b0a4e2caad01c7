import { shellQuoted } from '../base/shell-quote.js';
import type { McpClient } from './options.js';

/** How a client starts the server of a job. */
export interface McpServerCommand {
  /** Of the server in the list of the client. */
  readonly name: string;
  /** Absolute paths: clients start it with another folder and another PATH than a shell has. */
  readonly command: string;
  readonly args: readonly string[];
  /** Where `POST /mcp` of the job's service is. */
  readonly url: string;
}

/** What to copy into a client's configuration, or into a shell, and where it belongs. */
export function mcpConfig(client: McpClient, server: McpServerCommand): string {
  const { name, command, args, url } = server;
  const words = [command, ...args].map(shellQuoted).join(' ');
  switch (client) {
    case 'claude-desktop':
      return inFile('claude_desktop_config.json (Settings, Developer, Edit Config)', {
        mcpServers: { [name]: { command, args } },
      });
    case 'cursor':
      return inFile('~/.cursor/mcp.json', { mcpServers: { [name]: { command, args } } });
    case 'vscode':
      return inFile('.vscode/mcp.json', { servers: { [name]: { type: 'stdio', command, args } } });
    case 'claude-code':
      return `claude mcp add ${shellQuoted(name)} -- ${words}\n`;
    case 'http':
      return `claude mcp add --transport http ${shellQuoted(name)} ${shellQuoted(url)} --header "Authorization: Bearer $CRAWLER_API_KEY"\n`;
    case 'other':
      return `${words}\n`;
  }
}

/** The place goes to the person, the block into the file. */
function inFile(place: string, content: object): string {
  return `// ${place}\n${JSON.stringify(content, undefined, 2)}\n`;
}
