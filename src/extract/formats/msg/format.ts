import type { Format } from '../../format.js';

export const formats: readonly Format[] = [
  {
    name: 'msg',
    mediaTypes: ['application/vnd.ms-outlook'],
    needs: 'whole',
    facts: {
      title: 'Outlook messages (msg, oft)',
      library: 'own, postal-mime, iconv-lite',
      reads: 'subject, sender, recipients, the body once, attachments as members',
      omits: '',
    },
    load: () => import('./msg-extractor.js'),
  },
];
