import { aliasNameFault, indexNameFault, validIndexName } from '../model/index-names.js';
import { sourceDeclarations, type Provider } from './declarations/sources/index.js';
import { validJobName } from './jobs.js';
import type { JobSettings } from './job-settings.js';
import { isFile, readableFile } from './readable-file.js';
import { isEmbedded } from './engine-provider.js';

/** A demand that one value alone cannot show to be met. */
interface Rule {
  /** The setting that is to blame. */
  readonly about: string;
  /** Other settings that the rule looks at. */
  readonly reads?: readonly string[];
  /** What is wrong, as a sentence, or undefined. */
  check(settings: JobSettings): string | undefined;
}

export interface SettingProblem {
  /** The settings concerned; the first is to blame. */
  readonly paths: readonly [string, ...string[]];
  readonly sentence: string;
}

const MEANINGLESS =
  'Json or Xml indexation is activated but you disabled indexing content which does not make sense. Disabling crawler';

const demands: readonly Rule[] = [
  {
    about: 'name',
    check: ({ name }) =>
      validJobName(name) ? undefined : 'A job name is the name of a folder: it has no slashes, and is neither . nor ..',
  },
  ...sourceDeclarations.flatMap(sourceDemands),
  {
    about: 'fs.xml_support',
    reads: ['fs.json_support'],
    check: ({ fs }) =>
      fs.jsonSupport && fs.xmlSupport ? 'Can not support both xml and json parsing. Disabling crawler' : undefined,
  },
  {
    about: 'fs.index_content',
    reads: ['fs.json_support', 'fs.xml_support'],
    check: ({ fs }) => ((fs.jsonSupport || fs.xmlSupport) && !fs.indexContent ? MEANINGLESS : undefined),
  },
  {
    about: 'fs.tika_config_path',
    check: ({ fs }) =>
      fs.tikaConfigPath === undefined || isFile(fs.tikaConfigPath)
        ? undefined
        : `Tika configuration file ${fs.tikaConfigPath} not found!`,
  },
  {
    about: 'tags.static_meta_filename',
    check: ({ tags }) => readableFile(tags.staticMetaFilename, (path) => `Static meta file [${path}]`),
  },
  {
    about: 'passwords.providers.chained.providers',
    reads: ['passwords.provider'],
    check: ({ passwords }) =>
      passwords.provider === 'chained' && passwords.providers.chained.providers.length === 0
        ? 'passwords.provider [chained] requires passwords.providers.chained.providers'
        : undefined,
  },
  {
    about: 'engine.provider',
    reads: ['engine.urls'],
    check: ({ engine }) =>
      engine.provider === 'elasticsearch' && engine.urls.length === 0
        ? 'engine.provider [elasticsearch] needs the addresses of the cluster as engine.urls'
        : undefined,
  },
  {
    about: 'engine.index',
    reads: ['engine.provider', 'engine.urls', 'engine.push_templates'],
    check: ({ engine }) => indexFault(engine.index, engine),
  },
  {
    about: 'engine.index_folder',
    reads: ['engine.provider', 'engine.urls', 'engine.push_templates'],
    check: ({ engine }) => indexFault(engine.indexFolder, engine),
  },
  {
    about: 'engine.ca_certificate',
    reads: ['engine.provider', 'engine.urls'],
    check: ({ engine }) =>
      isEmbedded(engine) ? undefined : readableFile(engine.caCertificate, (path) => `CA certificate [${path}]`),
  },
  {
    about: 'extractor.tika.url',
    reads: ['extractor.provider'],
    check: ({ extractor }) =>
      extractor.provider !== 'embedded' && extractor.tika.url === undefined
        ? `extractor.provider [${extractor.provider}] needs the address of a Tika server as extractor.tika.url`
        : undefined,
  },
];

const warnings: readonly Rule[] = [
  {
    about: 'server.protocol',
    check: ({ server }) =>
      server.protocol === 'local'
        ? undefined
        : `Setting server.protocol is deprecated and will be removed in a future version. Please use fs.provider: "${server.protocol}" instead.`,
  },
  {
    about: 'engine.urls',
    reads: ['engine.provider'],
    check: ({ engine }) =>
      engine.provider === 'embedded' && engine.urls.length > 0
        ? 'the cluster is not used, because engine.provider is embedded.'
        : undefined,
  },
  {
    about: 'engine.username',
    check: ({ engine }) => (engine.username === undefined ? undefined : DEPRECATED_LOGIN),
  },
  {
    about: 'engine.password',
    check: ({ engine }) =>
      engine.username === undefined && engine.password !== undefined ? DEPRECATED_LOGIN : undefined,
  },
  {
    about: 'fs.acl_support',
    check: ({ fs }) =>
      fs.aclSupport && !fs.attributesSupport
        ? 'acl_support is set to true but fs.attributes_support is false. ACL collection is disabled.'
        : undefined,
  },
  { about: 'fs.includes', check: ({ fs }) => needlessBackslash(fs.includes) },
  { about: 'fs.excludes', check: ({ fs }) => needlessBackslash(fs.excludes) },
  {
    about: 'fs.tika_config_path',
    check: ({ fs }) =>
      fs.tikaConfigPath === undefined
        ? undefined
        : 'This setting has no effect: configure a Tika server with it, and name the server as extractor.tika.url.',
  },
];

const DEPRECATED_LOGIN =
  'A user name and a password are deprecated. Set engine.api_key instead of engine.username and engine.password.';

/** Everything that makes it impossible to start. Rules that look at a broken setting are left out. */
export function findProblems(settings: JobSettings, broken: ReadonlySet<string>): readonly SettingProblem[] {
  const applicable = demands.filter((rule) => !pathsOf(rule).some((path) => broken.has(path)));
  return findings(applicable, settings);
}

/** What works, but probably not as it was meant. */
export function findWarnings(settings: JobSettings): readonly SettingProblem[] {
  return findings(warnings, settings);
}

function findings(rules: readonly Rule[], settings: JobSettings): readonly SettingProblem[] {
  return rules.flatMap((rule) => {
    const sentence = rule.check(settings);
    return sentence === undefined ? [] : [{ paths: pathsOf(rule), sentence }];
  });
}

function pathsOf(rule: Rule): SettingProblem['paths'] {
  return [rule.about, ...(rule.reads ?? [])];
}

/** Meant as a separator of Windows, or as part of a regular expression (`\d`), which only `regex:` makes of a pattern. */
function needlessBackslash(patterns: readonly string[]): string | undefined {
  const pattern = patterns.find(
    (each) => !each.startsWith('regex:') && /^(?:[^\\]|\\[^A-Za-z0-9])*\\[A-Za-z0-9]/.test(each),
  );
  if (pattern === undefined) return undefined;
  return `In [${pattern}] a backslash takes the next character as it is. Write / between folders, on Windows too, and regex: in front of a regular expression.`;
}

/** On a cluster whose templates are somebody else's, the name may be that of an alias. */
function indexFault(name: string, engine: JobSettings['engine']): string | undefined {
  const mayBeAlias = !isEmbedded(engine) && !engine.pushTemplates;
  const fault = mayBeAlias ? aliasNameFault(name) : indexNameFault(name);
  return fault === undefined ? undefined : `${fault} Write a name that is valid, such as [${validIndexName(name)}].`;
}

/** The demands of a source hold for the jobs that crawl it. */
function sourceDemands({ type, rules }: (typeof sourceDeclarations)[number]): readonly Rule[] {
  return rules.map((rule) => ({
    about: rule.about,
    reads: ['fs.provider', 'server.protocol'],
    check: ({ fs, server }) => (fs.provider === type ? rule.check(ownSettings(fs, type), server) : undefined),
  }));
}

function ownSettings(fs: JobSettings['fs'], provider: Provider): object {
  const own: unknown = (fs as Readonly<Record<string, unknown>>)[provider];
  return typeof own === 'object' && own !== null ? own : {};
}
