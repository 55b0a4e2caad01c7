import js from '@eslint/js';
import jest from 'eslint-plugin-jest';
import n from 'eslint-plugin-n';
import tseslint from 'typescript-eslint';

/** Sizes keep every file readable on one or two screens and every function on one. */
const sizeLimits = {
  'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
  complexity: ['error', 12],
};

/** The files that may ask where they are: a bundle moves every other one to a place that only the bundler knows. */
const ownFiles = [
  'base/code-cache/keep-compiled-code',
  'base/entry-points',
  'base/package-root',
  'extract/ocr/tesseract-js/find-tesseract-js',
  'extract/ocr/tesseract-js/tesseract-js-main',
  '**/pdf/pdfium',
];
const ownPlace = ['MetaProperty', "Identifier[name='createRequire']"].map((selector) => ({
  selector,
  message: 'Where the files of the program are is known to base/entry-points.ts and base/package-root.ts only.',
}));

export default tseslint.config(
  { ignores: ['dist/', 'build/', '.build/', '.example/', 'node_modules/', 'coverage/', 'examples/documents/'] },
  js.configs.recommended,
  {
    files: ['src/**/*.ts', 'test/**/*.ts'],
    ignores: ['src/web/**'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: ['./test/tsconfig.json'], tsconfigRootDir: import.meta.dirname } },
    plugins: { n },
    rules: {
      'n/prefer-node-protocol': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'func-style': ['error', 'declaration', { allowArrowFunctions: true }],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  // The pages of the browser: everything of a document is text there, never HTML and never an address.
  {
    files: ['src/web/**/*.ts', 'src/web/**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./src/web/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...sizeLimits,
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      // A component says what it returns by being one.
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      'no-control-regex': 'off',
      'no-console': 'error',
      'no-undef': 'off',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/web/**/*.ts', 'src/web/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Texts of documents are never HTML.',
        },
        {
          selector: 'MemberExpression[property.name=/^(?:innerHTML|outerHTML|insertAdjacentHTML|write|writeln)$/]',
          message: 'Texts of documents are never HTML.',
        },
        {
          selector:
            'JSXAttribute[name.name=/^(?:href|src)$/][value.expression.callee.name!=/^(?:addressOf[A-Za-z]*|originalOf)$/]',
          message: 'Addresses are made by addressOf and originalOf, never of what a document holds.',
        },
      ],
    },
  },
  { files: ['src/**/*.ts'], rules: sizeLimits },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/base/home-folder.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          name: 'node:os',
          importNames: ['homedir'],
          message: 'It throws for a user without an entry: base/home-folder.ts.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/web/**', ...ownFiles.map((path) => `src/${path}.ts`)],
    rules: {
      'no-restricted-syntax': ['error', ...ownPlace],
      'no-restricted-properties': [
        'error',
        {
          property: 'toLocaleString',
          message: 'It loads the data of all languages at the first call: base/grouped.ts.',
        },
      ],
    },
  },
  // winston and its rotating transport bring two copies of one type declaration.
  { files: ['src/app/logging.ts'], rules: { '@typescript-eslint/no-unsafe-class-instance-assignment': 'off' } },
  { files: ['src/cli/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['test/**/*.ts'],
    ...jest.configs['flat/recommended'],
    rules: {
      ...jest.configs['flat/recommended'].rules,
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect', 'fc.assert', '**Contract', 'expect*', '**.expect*'] },
      ],
      'jest/no-export': 'off',
      'jest/no-conditional-expect': 'off',
      'jest/no-standalone-expect': 'off',
      'jest/valid-title': 'off',
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process console Buffer URL performance module fetch AbortController AbortSignal FormData Blob TextEncoder',
          'TextDecoder setTimeout clearTimeout setInterval clearInterval setImmediate',
        ]
          .join(' ')
          .split(' ')
          .map((name) => [name, name === 'module' ? 'writable' : 'readonly']),
      ),
    },
  },
);
