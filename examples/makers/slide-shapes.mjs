import { escapeXml } from './package.mjs';

/** The parts of a PowerPoint file that hold shapes; `slide-show.mjs` makes the package around them. */
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const PRESENTATION = 'http://schemas.openxmlformats.org/presentationml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export const NAMESPACES = `xmlns:a="${DRAWING}" xmlns:p="${PRESENTATION}" xmlns:r="${RELATIONSHIPS}"`;

const GROUP = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>';
const COLOURS = '<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>';

export function tree(shapes) {
  return `<p:cSld><p:spTree>${GROUP}${shapes}</p:spTree></p:cSld>`;
}

export function slide({ title, points }) {
  const text = shape(2, 'Title', 'title', [title], [457200, 274638, 8229600, 1143000]);
  return `<p:sld ${NAMESPACES}>${tree(text + shape(3, 'Content', 'body', points, [457200, 1600200, 8229600, 4525963]))}${COLOURS}</p:sld>`;
}

export function notes({ notes: text }) {
  return `<p:notes ${NAMESPACES}>${tree(shape(2, 'Notes', 'body', [text], [685800, 4400550, 5486400, 3600450]))}${COLOURS}</p:notes>`;
}

export function shape(id, name, kind, lines, [x, y, width, height]) {
  const index = kind === 'body' ? ' idx="1"' : '';
  const text = lines.map((line) => `<a:p><a:r><a:rPr lang="en-GB"/><a:t>${escapeXml(line)}</a:t></a:r></a:p>`).join('');
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${name}"/><p:cNvSpPr/><p:nvPr><p:ph type="${kind}"${index}/></p:nvPr></p:nvSpPr>` +
    `<p:spPr><a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${width}" cy="${height}"/></a:xfrm></p:spPr>` +
    `<p:txBody><a:bodyPr/><a:lstStyle/>${text}</p:txBody></p:sp>`
  );
}

export function master(kind) {
  const map =
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';
  if (kind === 'notes') return `<p:notesMaster ${NAMESPACES}>${tree('')}${map}</p:notesMaster>`;
  const layouts = '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>';
  const styles = '<p:txStyles><p:titleStyle/><p:bodyStyle/><p:otherStyle/></p:txStyles>';
  return `<p:sldMaster ${NAMESPACES}>${tree('')}${map}${layouts}${styles}</p:sldMaster>`;
}

export function layout() {
  return `<p:sldLayout ${NAMESPACES} type="obj">${tree('')}${COLOURS}</p:sldLayout>`;
}

export function theme() {
  const colours = {
    dk1: '10243E',
    lt1: 'FFFFFF',
    dk2: '1F3A5F',
    lt2: 'EEF3F7',
    accent1: 'C8102E',
    accent2: '2E7D9A',
    accent3: 'F2B705',
    accent4: '5B7F5B',
    accent5: '8C5A3C',
    accent6: '6B6B83',
    hlink: '0563C1',
    folHlink: '954F72',
  };
  const scheme = Object.entries(colours).map(([name, value]) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`);
  const font = '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/>';
  const fill = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const line = `<a:ln w="9525">${fill}<a:prstDash val="solid"/></a:ln>`;
  const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>';
  return (
    `<a:theme xmlns:a="${DRAWING}" name="Portholm"><a:themeElements><a:clrScheme name="Portholm">${scheme.join('')}</a:clrScheme>` +
    `<a:fontScheme name="Portholm"><a:majorFont>${font}</a:majorFont><a:minorFont>${font}</a:minorFont></a:fontScheme>` +
    `<a:fmtScheme name="Portholm"><a:fillStyleLst>${fill.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst>` +
    `<a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${fill.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`
  );
}

export function presentation(count) {
  const ids = Array.from({ length: count }, (_, i) => `<p:sldId id="${256 + i}" r:id="rId${i + 3}"/>`);
  return (
    `<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>` +
    `<p:notesMasterIdLst><p:notesMasterId r:id="rId2"/></p:notesMasterIdLst><p:sldIdLst>${ids.join('')}</p:sldIdLst>` +
    `<p:sldSz cx="9144000" cy="6858000" type="screen4x3"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`
  );
}
