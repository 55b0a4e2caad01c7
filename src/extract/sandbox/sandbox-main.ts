import type { DocumentLimits } from '../limits.js';
import { findFormat } from '../registry.js';
import { extractDocument } from './extract-document.js';
import { guardAgainstLosingParent } from './parent-guard.js';
import { serve } from './serve.js';

/** The program of a sandbox process. Its only argument holds the limits for a document as JSON. */
const limits = JSON.parse(process.argv[2] ?? '{}') as DocumentLimits;

serve((request, settle) => extractDocument(request, { limits, findFormat, settle }));
guardAgainstLosingParent();
