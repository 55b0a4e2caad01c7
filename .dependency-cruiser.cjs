/**
 * The import rule of docs/architecture.md: a folder of src/ imports only folders of the layers below it. Folders of one layer
 * do not import each other, but for settings -> model.
 */
const layers = [
  ['base'],
  ['model', 'settings'],
  ['source', 'extract', 'engine', 'state', 'passwords'],
  ['ingest'],
  ['crawler'],
  ['operations', 'search'],
  ['rest', 'mcp'],
  ['app'],
  ['cli'],
  ['api'],
];
const sideways = { settings: ['model'] };

const layerRules = layers.flatMap((folders, index) =>
  folders.map((folder) => {
    const allowed = [folder, ...layers.slice(0, index).flat(), ...(sideways[folder] ?? [])];
    return {
      name: `layer-${folder}`,
      severity: 'error',
      comment: `src/${folder} belongs to layer ${index + 1} and may import only: ${allowed.join(', ')}. Move the shared part down, or pass it in from app/.`,
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${allowed.join('|')})/` },
    };
  }),
);

/** A folder that no layer names would be under no rule at all. */
const unknownFolder = {
  name: 'folder-without-a-layer',
  severity: 'error',
  comment:
    'Every folder of src/ belongs to a layer: add it to `layers` and to docs/architecture.md. Only src/web/, the pages of the browser, is a program of its own.',
  from: { path: '^src/', pathNot: `^src/(web|${layers.flat().join('|')})/` },
  to: {},
};

/** A package that belongs to one room: everybody else reaches it through that room's contract. */
function onlyIn(name, packages, rooms, why) {
  return {
    name: `only-${name}`,
    severity: 'error',
    comment: why,
    from: { path: '^src/', pathNot: rooms.map((room) => `^src/${room}`) },
    to: { path: packages.map((each) => `node_modules/${each}/`) },
  };
}

/** The order of imports inside src/extract/, from top to bottom; the last are the contracts and what all share. */
const extractLayers = [
  ['index\\.ts'],
  ['(open-extractor|announce-ocr)\\.ts'],
  ['runtime/', 'tika/', 'formats-docs\\.ts'],
  ['registry\\.ts'],
  ['formats/'],
  ['detect/', 'language/', 'ocr/'],
  ['containers/', 'frames/'],
  [
    '(extraction|extraction-limits|extraction-version|format|limits|metadata-builder|read-error|shared-extraction|slowest-documents|text-buffer)\\.ts',
  ],
];

const extractRules = extractLayers.slice(1).flatMap((parts, index) =>
  parts.map((part) => {
    const above = extractLayers.slice(0, index + 1).flat();
    const beside = parts.filter((each) => each !== part);
    return {
      name: `extract-${/^\w+/.exec(part)?.[0] ?? 'contracts'}`,
      severity: 'error',
      comment:
        'Inside src/extract/ imports run index, open-extractor, runtime and tika, registry, formats, detect and ocr, containers.',
      from: { path: `^src/extract/${part}` },
      to: { path: [...above, ...beside].map((each) => `^src/extract/${each}`) },
    };
  }),
);

/** Formats whose files contain another format: the only ones that import another format's folder. */
const containedFormats = { xlsb: ['xlsx'], epub: ['html'] };

const formatRules = [
  {
    name: 'formats-do-not-import-siblings',
    severity: 'error',
    comment: 'What two formats share belongs into src/extract/containers/. Exceptions stand in `containedFormats`.',
    from: {
      path: '^src/extract/formats/([^/]+)/',
      pathNot: `^src/extract/formats/(${Object.keys(containedFormats).join('|')})/`,
    },
    to: { path: '^src/extract/formats/', pathNot: '^src/extract/formats/$1/' },
  },
  ...Object.entries(containedFormats).map(([format, contained]) => ({
    name: `format-${format}`,
    severity: 'error',
    comment: `The format ${format} contains ${contained.join(', ')}, and imports no other format.`,
    from: { path: `^src/extract/formats/${format}/` },
    to: { path: '^src/extract/formats/', pathNot: `^src/extract/formats/(${[format, ...contained].join('|')})/` },
  })),
  {
    name: 'formats-only-from-the-registry',
    severity: 'error',
    comment: 'A format is reached through the registry, which loads it when the first document of it arrives.',
    from: { path: '^src/extract/', pathNot: '^src/extract/(formats/|registry\\.ts)' },
    to: { path: '^src/extract/formats/' },
  },
  {
    name: 'descriptors-load-nothing',
    severity: 'error',
    comment: 'format.ts is part of every process: it may import what reads the format only inside load().',
    from: { path: '^src/extract/formats/[^/]+/format\\.ts$' },
    to: {
      path: '^src/extract/',
      pathNot: '^src/extract/(format\\.ts|formats/media/media-kinds\\.ts)',
      dependencyTypesNot: ['dynamic-import'],
    },
  },
];

module.exports = {
  forbidden: [
    ...layerRules,
    unknownFolder,
    ...extractRules,
    ...formatRules,
    {
      name: 'extract-is-entered-by-its-index',
      severity: 'error',
      comment:
        'Whoever is outside of src/extract/ imports src/extract/index.ts. Its own processes are started by path.',
      from: { path: '^src/', pathNot: '^src/extract/' },
      to: { path: '^src/extract/', pathNot: '^src/extract/index\\.ts$' },
    },
    {
      name: 'engines-are-entered-by-the-port',
      severity: 'error',
      comment: 'Whoever is outside of src/engine/ knows the port and the registry, never one of the engines.',
      from: { path: '^src/', pathNot: '^src/engine/' },
      to: { path: '^src/engine/[^/]+/' },
    },
    {
      name: 'adapters-do-not-import-siblings',
      severity: 'error',
      comment:
        'An adapter of a source, an engine or a password provider stands alone; what two share belongs beside the contract. The query language is no adapter: engines may compile it.',
      from: { path: '^src/(source|engine|passwords)/([^/]+)/' },
      to: { path: '^src/$1/[^/]+/', pathNot: ['^src/$1/$2/', '^src/engine/query/'] },
    },
    {
      name: 'api-has-no-console',
      severity: 'error',
      comment: 'The library finds jobs as the command line does, and shares nothing else with it.',
      from: { path: '^src/api/' },
      to: { path: '^src/cli/', pathNot: '^src/cli/jobs/' },
    },
    {
      name: 'web-is-a-program-of-its-own',
      severity: 'error',
      comment: 'The pages of the browser speak to the service over HTTP, and share no code with it.',
      from: { path: '^src/web/' },
      to: { path: '^src/', pathNot: '^src/web/' },
    },
    {
      name: 'nobody-imports-web',
      severity: 'error',
      comment: 'The pages are built by .ci/build-web.mjs and served as files.',
      from: { path: '^src/', pathNot: '^src/web/' },
      to: { path: '^src/web/' },
    },
    onlyIn(
      'elastic',
      ['@elastic/[^/]+'],
      ['engine/elastic'],
      'Only engine/elastic knows a search product over the network.',
    ),
    onlyIn('http', ['express', 'multer', 'cors'], ['rest/'], 'HTTP lives in rest/.'),
    onlyIn(
      'mcp',
      ['@modelcontextprotocol/[^/]+', 'zod'],
      ['mcp/'],
      'Only mcp/ knows the protocol of assistants, and what its messages are checked with.',
    ),
    onlyIn('commander', ['commander'], ['cli/'], 'argv lives in cli/.'),
    onlyIn(
      'winston',
      ['winston', 'winston-daily-rotate-file'],
      ['app/'],
      'Everybody else logs through base/logger.ts.',
    ),
    onlyIn('sqlite', ['@photostructure/sqlite'], ['base/sqlite'], 'SQLite is hidden behind base/sqlite.ts.'),
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'What both sides need stands in a file below both, types included.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      comment: 'The program runs without its development tools. The pages of the browser are bundled.',
      from: { path: '^src/', pathNot: '^src/web/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import must lead somewhere.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
