import { declareSource, type ServerSettings } from './source-declaration.js';

export const ftpDeclaration = declareSource({
  type: 'ftp',
  section: undefined,
  server: usualFtpServer,
  rules: [
    {
      about: 'server.hostname',
      check: (_own, { hostname }) =>
        hostname === undefined ? 'Provider [ftp] requires server.hostname to be set' : undefined,
    },
  ],
});

/** What the protocol has agreed on. */
export function usualFtpServer({ ftps }: Pick<ServerSettings, 'ftps'>): { port: number; username: string } {
  return { port: ftps === 'implicit' ? 990 : 21, username: 'anonymous' };
}
