import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ServerHostKeyAlgorithm } from 'ssh2';
import { CrawlerError, messageOf, systemCode } from '../../base/errors.js';
import { homeFolder } from '../../base/home-folder.js';
import { knownHostsLine, knownKeysOf, type KnownKey } from './known-hosts.js';
import { addressOf, type SshAddress } from './ssh-address.js';

/**
 * Which host keys are trusted. With a pinned key (`server.host_key`) only that one. Otherwise the one that known_hosts
 * names, the user's or our own; a host that neither knows is trusted on first use, with a message, and remembered in our
 * file. A key that differs from the remembered one is refused: it is what an attacker in between looks like.
 */
export interface HostKeysOptions {
  /** `SHA256:…`, or the key as in known_hosts or in a `.pub` file. */
  readonly pinned: string | undefined;
  /** Where keys are remembered. */
  readonly ownFile: string;
  readonly userFile?: string;
  readonly log: (message: string) => void;
}

const ALGORITHMS: Readonly<Record<string, readonly ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'],
};

export class HostKeys {
  readonly #options: HostKeysOptions;
  readonly #userFile: string;

  constructor(options: HostKeysOptions) {
    this.#options = options;
    this.#userFile = options.userFile ?? join(homeFolder(), '.ssh', 'known_hosts');
  }

  /** In the order to ask for: a server with several keys is to show the one that is known. */
  async algorithms(place: SshAddress): Promise<ServerHostKeyAlgorithm[]> {
    const { pinned } = this.#options;
    const known = pinned === undefined ? await this.#known(place) : [];
    const types = pinned === undefined ? known.map(({ type }) => type) : [pinnedType(pinned) ?? ''];
    const first = types.flatMap((type) => ALGORITHMS[type] ?? []);
    return [...new Set([...first, ...Object.values(ALGORITHMS).flat()])];
  }

  /** Throws `denied` for a key that is not to be trusted. `isNew`: it is to be remembered once the server has proved to have it. */
  async judge(place: SshAddress, key: Buffer): Promise<{ readonly isNew: boolean }> {
    const { pinned, ownFile } = this.#options;
    const shown = `${typeOf(key)} ${fingerprintOf(key)}`;
    const address = addressOf(place);
    const refuse = (why: string): never => {
      throw new CrawlerError('denied', `The host key of ${address} is refused: the server shows ${shown}, ${why}`, {
        subject: address,
      });
    };
    if (pinned !== undefined) {
      if (!fitsPin(pinned, key)) refuse(`but server.host_key is [${pinned}].`);
      return { isNew: false };
    }
    const known = await this.#known(place);
    if (known.some((each) => each.revoked && each.key.equals(key))) refuse('which known_hosts calls revoked.');
    const valid = known.filter(({ revoked }) => !revoked);
    if (valid.length === 0) return { isNew: true };
    if (!valid.some((each) => each.key.equals(key))) {
      const remembered = valid.map((each) => `${each.type} ${fingerprintOf(each.key)}`).join(', ');
      refuse(
        `but ${remembered} is known. Somebody may be between you and the server. If its key was changed on purpose, remove the old line from [${this.#userFile}] or [${ownFile}].`,
      );
    }
    return { isNew: false };
  }

  async remember(place: SshAddress, key: Buffer): Promise<void> {
    const { ownFile, log } = this.#options;
    const { host, port } = place;
    const shown = `${typeOf(key)} ${fingerprintOf(key)}`;
    try {
      await mkdir(dirname(ownFile), { recursive: true });
      const known = await readText(ownFile);
      // Another connection of ours has seen the same server at the same time.
      if (knownKeysOf(known, host, port).some((each) => each.key.equals(key))) return;
      const lineBreak = known === '' || known.endsWith('\n') ? '' : '\n';
      await appendFile(ownFile, lineBreak + knownHostsLine(host, port, typeOf(key), key), { mode: 0o600 });
      log(
        `${addressOf(place)} was not known: its host key ${shown} is trusted from now on and remembered in [${ownFile}]. Compare it with the one of the server, or pin it with server.host_key.`,
      );
    } catch (error) {
      log(
        `${addressOf(place)} is not known, and its host key ${shown} cannot be remembered in [${ownFile}]: ${messageOf(error)}`,
      );
    }
  }

  async #known({ host, port }: SshAddress): Promise<KnownKey[]> {
    const texts = await Promise.all([readText(this.#userFile), readText(this.#options.ownFile)]);
    return texts.flatMap((text) => knownKeysOf(text, host, port));
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return '';
    // Without the file a changed key could not be told from a new one.
    throw new CrawlerError('denied', `The known hosts [${file}] cannot be read: ${messageOf(error)}.`, {
      cause: error,
      subject: file,
    });
  }
}

/** The type that a key begins with. */
function typeOf(key: Buffer): string {
  return key.toString('latin1', 4, 4 + Math.min(key.readUInt32BE(0), 64));
}

function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

const FINGERPRINT = /^(?:SHA256:)?([A-Za-z0-9+/]{43})=?$/;
const PUBLIC_KEY = /(?:^|\s)((?:ssh|ecdsa)-[a-z0-9-]+)?\s*(AAAA[A-Za-z0-9+/]+=*)(?:\s|$)/;

/** Undefined for a fingerprint, which does not tell. */
function pinnedType(pinned: string): string | undefined {
  return PUBLIC_KEY.exec(pinned)?.[1];
}

function fitsPin(pinned: string, key: Buffer): boolean {
  const fingerprint = FINGERPRINT.exec(pinned.trim())?.[1];
  if (fingerprint !== undefined) return fingerprintOf(key) === `SHA256:${fingerprint}`;
  const base64 = PUBLIC_KEY.exec(pinned)?.[2];
  if (base64 !== undefined) return Buffer.from(base64, 'base64').equals(key);
  throw new CrawlerError(
    'settings_invalid',
    `server.host_key [${pinned}] is neither a fingerprint (SHA256:…) nor a public key (ssh-ed25519 AAAA…).`,
    { subject: 'server.host_key' },
  );
}
