import type { DocumentLimits } from '../../limits.js';
import { findFormat } from '../../registry.js';
import { descriptors } from '../channel/messages.js';
import { extractDocument } from './extract-document.js';
import { guardAgainstLosingParent } from './parent-guard.js';
import { SalvageLog } from './salvage-log.js';
import { serve } from './serve.js';

/** The program of a sandbox process. Its arguments: the limits for a document as JSON, and whether there is a file for the salvage. */
const [, , limitsText = '{}', hasSalvage] = process.argv;
const limits = JSON.parse(limitsText) as DocumentLimits;
const parts = { limits, findFormat };
const salvage = hasSalvage === undefined ? {} : { salvage: new SalvageLog(descriptors.partialResult, limits) };

serve((request, settle, desk) => extractDocument(request, { ...parts, ...salvage, settle, desk }), limits);
guardAgainstLosingParent();
