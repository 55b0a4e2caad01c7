import { choice, localPath, verbatim } from '../setting-types.js';
import { listOf } from '../setting-type.js';
import { section, setting } from '../setting.js';

const providers = ['noop', 'static', 'disk', 'chained'] as const;

const staticProvider = section('Passwords written here.', {
  value: setting(verbatim, { secret: true, example: 'your-password', meaning: 'One password.' }),
  values: setting(listOf(verbatim), {
    default: [],
    secret: true,
    example: ['your-first-password', 'your-second-password'],
    meaning: 'Several passwords, tried in this order. They replace `value`.',
  }),
});

const diskProvider = section(
  'Passwords in files beside the documents: `report.pdf.password`, or `.password` of a folder.',
  {
    url: setting(localPath, {
      default: '${fs.url}',
      mayBeEmpty: true,
      meaning: 'Root of the tree of password files.',
    }),
  },
);

const chainedProvider = section('Several providers, one after the other.', {
  providers: setting(
    listOf(
      choice(['noop', 'static', 'disk'], {
        refusal: (given) =>
          given.toLowerCase() === 'chained'
            ? 'passwords.providers.chained.providers cannot contain [chained].'
            : `passwords.providers.chained.providers contains unknown password provider [${given}].`,
      }),
    ),
    { default: [], example: ['static', 'disk'], meaning: 'Names of the providers, in order.' },
  ),
});

export const passwords = section('Passwords to try on protected documents.', {
  provider: setting(choice(providers, { refusal: (given) => `No PasswordProvider found for type [${given}].` }), {
    default: 'noop',
    meaning: 'Where passwords come from; `noop` has none.',
  }),
  providers: section('One section for each provider.', {
    static: staticProvider,
    disk: diskProvider,
    chained: chainedProvider,
  }),
});
