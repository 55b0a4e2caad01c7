import { openOle, type OleContainer } from '../containers/ole/ole.js';
import { OLE } from './type-names.js';

/** Formats of the compound file container by the streams at its top level (names compare without case). */
type OleRow = readonly [type: string, ...names: string[]];

const ENCRYPTED_ROWS: readonly OleRow[] = [
  ['application/x-tika-ooxml-protected', 'EncryptedPackage', 'EncryptionInfo'],
  ['application/x-tika-ole-drm-encrypted', 'EncryptedPackage', '\x06DataSpaces'],
  ['application/x-tika-ole-drm-encrypted', '\x09DRMDataSpace'],
];

/** Star Draw and Star Impress use the same streams, and charts of Microsoft Graph look like workbooks. */
const ROWS: readonly OleRow[] = [
  ['application/x-tika-msworks-spreadsheet', 'WksSSWorkBook'],
  ['application/vnd.ms-excel', 'Workbook'],
  ['application/sldworks', 'SwDocContentMgr', 'SwDocMgrTempStorage'],
  ['application/vnd.stardivision.calc', 'StarCalcDocument'],
  ['application/vnd.stardivision.writer', 'StarWriterDocument'],
  ['application/vnd.stardivision.draw', 'StarDrawDocument3'],
  ['application/vnd.ms-excel', 'Book'],
  ['application/msword', 'WordDocument'],
  ['application/x-mspublisher', 'Quill'],
  ['application/vnd.ms-powerpoint', 'PowerPoint Document'],
  ['application/vnd.visio', 'VisioDocument'],
  ['application/x-tika-msoffice-embedded; format=ole10_native', '\x01Ole10Native'],
  ['application/vnd.ms-works', 'MatOST'],
  ['application/vnd.ms-works', 'CONTENTS', 'SPELLING'],
  ['application/vnd.ms-equation', 'Equation Native'],
  ['application/x-tika-msoffice-embedded; format=comp_obj', 'CONTENTS', '\x03ObjInfo'],
  ['application/x-tika-msoffice-embedded; format=comp_obj', 'CONTENTS', '\x01CompObj'],
  ['application/x-hwp-v5', 'FileHeader', 'DocInfo', 'BodyText'],
  ['application/x-quattro-pro', 'PerfectOffice_MAIN', 'NativeContent_MAIN'],
  ['application/x-corelpresentations', 'PerfectOffice_MAIN', 'SlideShow'],
  ['application/vnd.wordperfect; version=6.x', 'PerfectOffice_MAIN'],
  ['application/x-esri-layer', 'Layer'],
  ['image/vnd.dgn; version=8', 'Dgn~Mf', 'Dgn~S', 'Dgn~H'],
];

/** The program that made a document names itself in the stream CompObj. */
const PROGRAMS: readonly (readonly [type: string, program: string])[] = [
  ['application/vnd.ms-graph', 'MSGraph.Chart'],
  ['application/vnd.stardivision.draw', 'StarDraw'],
  ['application/vnd.stardivision.impress', 'StarImpress'],
  ['application/vnd.ms-works', 'Quill96'],
];
const TYPES_WITH_PROGRAM: ReadonlySet<string> = new Set([
  'application/vnd.ms-excel',
  'application/vnd.stardivision.draw',
  'application/x-tika-msoffice-embedded; format=comp_obj',
]);

const PROJECT_STREAM = /^\s{3}\d+$/;
const MESSAGE_STREAM = '__SUBSTG1.0_';

/** What is inside a compound file; the general type when nothing in it is known or it is too damaged to look. */
export function typeOfOle(bytes: Uint8Array): string {
  try {
    const container = openOle(bytes);
    return typeOfContainer(container);
  } catch {
    return OLE;
  }
}

function typeOfContainer(container: OleContainer): string {
  const names = topLevelNames(container);
  const row = [...ENCRYPTED_ROWS, ...ROWS].find(([, ...wanted]) =>
    wanted.every((name) => names.has(name.toUpperCase())),
  );
  if (row !== undefined) return TYPES_WITH_PROGRAM.has(row[0]) ? (typeOfProgram(container) ?? row[0]) : row[0];
  if (names.has('PROPS') || names.has('PROPS9') || names.has('PROPS12')) {
    if ([...names].some((name) => PROJECT_STREAM.test(name))) return 'application/vnd.ms-project';
  }
  return [...names].some((name) => name.startsWith(MESSAGE_STREAM)) ? 'application/vnd.ms-outlook' : OLE;
}

/** Streams and storages directly below the root, in capitals. */
function topLevelNames(container: OleContainer): ReadonlySet<string> {
  const names = new Set<string>();
  for (const path of [...container.paths, ...container.storages.keys()]) {
    names.add((path.split('/', 1)[0] ?? '').toUpperCase());
  }
  return names;
}

function typeOfProgram(container: OleContainer): string | undefined {
  const description = container.read('\x01CompObj');
  if (description === undefined) return undefined;
  const text = Buffer.from(description).toString('latin1');
  return PROGRAMS.find(([, program]) => text.includes(program))?.[0];
}
