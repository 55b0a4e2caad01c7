/** Where an SSH server listens. */
export interface SshAddress {
  readonly host: string;
  readonly port: number;
}

/** `ssh://host:port`, for messages and `file.url`. */
export function addressOf({ host, port }: SshAddress): string {
  return `ssh://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
