import { decodeUtf16 } from '../../containers/charset/code-page.js';
import { findRecord, officeRecords, type OfficeRecord } from '../../containers/ole/office-records.js';
import { TYPE } from './record-types.js';

/** Comments of a slide as `author (initials) - text`. They hide in the tags that versions of PowerPoint add. */
export function slideComments(page: OfficeRecord): string[] {
  const tags = findRecord(page.content, TYPE.programTags);
  if (tags === undefined) return [];
  return [...officeRecords(tags.content)]
    .filter((tag) => tag.type === TYPE.programBinaryTag)
    .flatMap((tag) => {
      const data = findRecord(tag.content, TYPE.binaryTagData);
      return data === undefined ? [] : [...officeRecords(data.content)];
    })
    .filter((record) => record.type === TYPE.comment)
    .map(commentText);
}

/** Three strings, told apart by their instance: author, text, initials. */
function commentText(comment: OfficeRecord): string {
  const strings = ['', '', ''];
  for (const record of officeRecords(comment.content)) {
    if (record.type === TYPE.characterString) strings[record.instance] = decodeUtf16(record.content);
  }
  const [author = '', text = '', initials = ''] = strings;
  const who = [author, initials === '' ? '' : `(${initials})`].filter((part) => part !== '').join(' ');
  return [who, text.replaceAll('\r', '\n')].filter((part) => part !== '').join(' - ');
}
