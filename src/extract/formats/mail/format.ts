import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'mail',
    mediaTypes: ['message/rfc822', 'multipart/related', 'message/x-emlx', 'message/news'],
    needs: 'whole',
    facts: {
      title: 'Mail and saved web pages (eml, mht, emlx)',
      library: 'postal-mime and own',
      reads: 'headers as metadata, the body once, attachments as members',
      omits: 'bodies that are encrypted (S/MIME, PGP)',
    },
    load: () => import('./mail-extractor.js'),
  },
  {
    name: 'mbox',
    mediaTypes: ['application/mbox'],
    needs: 'stream',
    facts: {
      title: 'Mailboxes (mbox)',
      library: 'own',
      reads: 'every message as a member',
      omits: '',
    },
    load: () => import('./mbox-extractor.js'),
  },
];
