import type { AnySection } from '../../setting.js';
import { ftpDeclaration } from './ftp.js';
import { localDeclaration } from './local.js';
import { s3Declaration } from './s3.js';
import type { SectionsOf, SourceDeclaration } from './source-declaration.js';
import { sshDeclaration } from './ssh.js';
import { webdavDeclaration } from './webdav.js';

/** What can be crawled, in the order in which `fs.provider` names the choices. */
const declarations = [localDeclaration, ftpDeclaration, sshDeclaration, s3Declaration, webdavDeclaration] as const;

export type Provider = (typeof declarations)[number]['type'];

export const sourceDeclarations: readonly SourceDeclaration<Provider>[] = declarations;

export const providers: readonly Provider[] = declarations.map(({ type }) => type);

/** The sections `fs.<type>` of the sources that have settings of their own. */
export const sourceSections = Object.fromEntries(
  sourceDeclarations.flatMap(({ type, section }): [string, AnySection][] =>
    section === undefined ? [] : [[type, section]],
  ),
) as SectionsOf<typeof declarations>;

export function declarationOf(provider: Provider): SourceDeclaration<Provider> {
  const found = sourceDeclarations.find(({ type }) => type === provider);
  if (found === undefined) throw new RangeError(`[${provider}] is not a source.`);
  return found;
}
