import { text } from '../setting-types.js';
import { setting } from '../setting.js';
import { engine } from './engine.js';
import { extractor } from './extractor.js';
import { fs } from './fs.js';
import { passwords } from './passwords.js';
import { rest } from './rest.js';
import { server } from './server.js';
import { tags } from './tags.js';

/**
 * Every setting there is. The key of a setting in files is its property here in snake_case, without the unit that some
 * properties carry: `fs.updateRateMs` is `fs.update_rate`.
 */
export const declarations = {
  name: setting(text, {
    default: { of: (place) => place.job, shown: 'the name of the job directory' },
    example: 'my_job',
    meaning: 'Name of the job; the indices are named after it.',
  }),
  fs,
  passwords,
  tags,
  server,
  engine,
  rest,
  extractor,
};
