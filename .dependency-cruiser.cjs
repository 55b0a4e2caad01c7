/**
 * The import rule of docs/architecture.md: a folder of src/ imports only folders on floors below it.
 * Folders on one floor do not import each other, but for settings -> model.
 */
const floors = [
  ['base'],
  ['model', 'settings'],
  ['source', 'extract', 'engine', 'state', 'passwords'],
  ['ingest'],
  ['crawler'],
  ['rest'],
  ['app'],
  ['cli'],
];
const sideways = { settings: ['model'] };

const floorRules = floors.flatMap((folders, floor) =>
  folders.map((folder) => {
    const allowed = [folder, ...floors.slice(0, floor).flat(), ...(sideways[folder] ?? [])];
    return {
      name: `floor-${folder}`,
      severity: 'error',
      comment: `src/${folder} stands on floor ${floor + 1} and may import only: ${allowed.join(', ')}. Move the shared part down, or inject it from app/.`,
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${allowed.join('|')})/` },
    };
  }),
);

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

module.exports = {
  forbidden: [
    ...floorRules,
    {
      name: 'adapters-do-not-import-siblings',
      severity: 'error',
      comment:
        'An adapter of a source, an engine or a password provider stands alone; what two share belongs beside the contract.',
      from: { path: '^src/(source|engine|passwords)/([^/]+)/' },
      to: { path: '^src/$1/[^/]+/', pathNot: '^src/$1/$2/' },
    },
    onlyIn(
      'elastic',
      ['@elastic/[^/]+'],
      ['engine/elastic'],
      'Only engine/elastic knows a search product over the network.',
    ),
    onlyIn('http', ['express', 'multer', 'cors'], ['rest/'], 'HTTP lives in rest/.'),
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
      comment: 'A cycle has no floor.',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-dev-dependency',
      severity: 'error',
      comment: 'The program runs without its development tools.',
      from: { path: '^src/' },
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
