import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'protected-office',
    mediaTypes: ['application/x-tika-ooxml-protected', 'application/x-tika-ole-drm-encrypted'],
    needs: 'whole',
    facts: {
      title: 'Office files behind a password',
      library: 'officecrypto-tool',
      reads: 'the document inside, with a password',
      omits: 'files behind rights management',
    },
    load: () => import('./protected-office-extractor.js'),
  },
];
