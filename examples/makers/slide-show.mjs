import {
  appProperties,
  contentTypes,
  coreProperties,
  PROPERTY_TYPES,
  relationships,
  rootRelationships,
} from './office-package.mjs';
import { XML_HEAD, zipOf } from './package.mjs';

import * as shapes from './slide-shapes.mjs';

/** `slides`: `{ title, points, notes }`. */
export function makePptx({ properties, slides }) {
  const numbers = slides.map((_, i) => i + 1);
  const type = (name) => `officedocument.presentationml.${name}`;
  const each = (make) => Object.fromEntries(numbers.map((number) => make(number, slides[number - 1])));
  return zipOf({
    '[Content_Types].xml': contentTypes({
      '/ppt/presentation.xml': type('presentation.main'),
      '/ppt/slideMasters/slideMaster1.xml': type('slideMaster'),
      '/ppt/slideLayouts/slideLayout1.xml': type('slideLayout'),
      '/ppt/notesMasters/notesMaster1.xml': type('notesMaster'),
      '/ppt/theme/theme1.xml': 'officedocument.theme',
      '/ppt/theme/theme2.xml': 'officedocument.theme',
      ...each((number) => [`/ppt/slides/slide${number}.xml`, type('slide')]),
      ...each((number) => [`/ppt/notesSlides/notesSlide${number}.xml`, type('notesSlide')]),
      ...PROPERTY_TYPES,
    }),
    '_rels/.rels': rootRelationships('ppt/presentation.xml'),
    'ppt/presentation.xml': XML_HEAD + shapes.presentation(slides.length),
    'ppt/_rels/presentation.xml.rels': relationships([
      ['slideMaster', 'slideMasters/slideMaster1.xml'],
      ['notesMaster', 'notesMasters/notesMaster1.xml'],
      ...numbers.map((number) => ['slide', `slides/slide${number}.xml`]),
    ]),
    'ppt/slideMasters/slideMaster1.xml': XML_HEAD + shapes.master('slides'),
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships([
      ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['theme', '../theme/theme1.xml'],
    ]),
    'ppt/slideLayouts/slideLayout1.xml': XML_HEAD + shapes.layout(),
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([
      ['slideMaster', '../slideMasters/slideMaster1.xml'],
    ]),
    'ppt/notesMasters/notesMaster1.xml': XML_HEAD + shapes.master('notes'),
    'ppt/notesMasters/_rels/notesMaster1.xml.rels': relationships([['theme', '../theme/theme2.xml']]),
    'ppt/theme/theme1.xml': XML_HEAD + shapes.theme(),
    'ppt/theme/theme2.xml': XML_HEAD + shapes.theme(),
    ...each((number, slide) => [`ppt/slides/slide${number}.xml`, XML_HEAD + shapes.slide(slide)]),
    ...each((number) => [
      `ppt/slides/_rels/slide${number}.xml.rels`,
      relationships([
        ['slideLayout', '../slideLayouts/slideLayout1.xml'],
        ['notesSlide', `../notesSlides/notesSlide${number}.xml`],
      ]),
    ]),
    ...each((number, slide) => [`ppt/notesSlides/notesSlide${number}.xml`, XML_HEAD + shapes.notes(slide)]),
    ...each((number) => [
      `ppt/notesSlides/_rels/notesSlide${number}.xml.rels`,
      relationships([
        ['notesMaster', '../notesMasters/notesMaster1.xml'],
        ['slide', `../slides/slide${number}.xml`],
      ]),
    ]),
    'docProps/core.xml': coreProperties(properties),
    'docProps/app.xml': appProperties('make-documents', `<Slides>${slides.length}</Slides>`),
  });
}
