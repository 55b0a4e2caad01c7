import type { Format } from '../../format.js';

const ALL_ENTRIES = 'name and contents of every entry, to any depth that the limits allow';

export const formats: readonly Format[] = [
  {
    name: 'zip',
    mediaTypes: [
      'application/bizagi-modeler',
      'application/hwp+zip',
      'application/java-archive',
      'application/vnd.adobe.indesign-idml-package',
      'application/vnd.android.package-archive',
      'application/vnd.google-earth.kmz',
      'application/vnd.mindjet.mindmanager',
      'application/x-itunes-ipa',
      'application/x-tika-java-enterprise-archive',
      'application/x-tika-java-web-archive',
      'application/x-vnd.datapackage+zip',
      'application/x-xliff+zip',
      'application/x-xmind',
      'application/zip',
    ],
    needs: 'whole',
    facts: {
      title: 'Zip, and formats that are nothing but a zip (jar, war, apk, kmz, idml, xmind)',
      library: 'own, node:zlib, fflate',
      reads: `${ALL_ENTRIES}; archives that are cut off as far as they go; entries with a password (ZipCrypto, AES)`,
      omits: 'other compression than deflate; entries spread over several files',
    },
    load: () => import('./zip-extractor.js'),
  },
  {
    name: 'tar',
    mediaTypes: ['application/x-tar', 'application/x-gtar'],
    needs: 'stream',
    facts: { title: 'Tar', library: 'own', reads: ALL_ENTRIES, omits: 'links, devices' },
    load: () => import('./tar-extractor.js'),
  },
  {
    name: 'cpio',
    mediaTypes: ['application/x-cpio'],
    needs: 'stream',
    facts: { title: 'Cpio', library: 'own', reads: ALL_ENTRIES, omits: 'links, devices' },
    load: () => import('./cpio-extractor.js'),
  },
  {
    name: 'ar',
    mediaTypes: ['application/x-archive', 'application/x-debian-package'],
    needs: 'stream',
    facts: {
      title: 'Ar archives, Debian packages',
      library: 'own',
      reads: ALL_ENTRIES,
      omits: 'indices of compilers; packages whose files are compressed with zstd',
    },
    load: () => import('./ar-extractor.js'),
  },
];
