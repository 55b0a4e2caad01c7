import type { DocumentLimits } from '../limits.js';
import { findFormat } from '../registry.js';
import { extractDocument } from './extract-document.js';
import { ignoreStopSignals } from './ignore-stop-signals.js';
import { guardAgainstLosingParent } from './parent-guard.js';
import { SalvageLog } from './salvage-log.js';
import { serve } from './serve.js';

/** The program of a sandbox process. Its arguments: the limits for a document as JSON, the descriptor for the salvage. */
const [, , limitsText = '{}', salvageFile] = process.argv;
const limits = JSON.parse(limitsText) as DocumentLimits;
const parts = { limits, findFormat };
const salvage = salvageFile === undefined ? {} : { salvage: new SalvageLog(Number(salvageFile)) };

ignoreStopSignals();
serve((request, settle, desk) => extractDocument(request, { ...parts, ...salvage, settle, desk }));
guardAgainstLosingParent();
