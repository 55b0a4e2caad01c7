import type { DocumentLimits } from '../../limits.js';
import { findFormat } from '../../registry.js';
import { descriptors } from '../channel/messages.js';
import { extractDocument } from './extract-document.js';
import { exitWithParent } from './exit-with-parent.js';
import { ignoreStopSignals } from '../../../base/ignore-stop-signals.js';
import { PartialResultLog } from './partial-result-log.js';
import { serve } from './serve.js';

/** The program of a sandbox process. Arguments: the limits for a document as JSON, and whether there is a file for partial results. */
const [, , limitsText = '{}', hasPartialResultFile] = process.argv;
const limits = JSON.parse(limitsText) as DocumentLimits;
const parts = { limits, findFormat };
const partialResult =
  hasPartialResultFile === undefined ? {} : { partialResult: new PartialResultLog(descriptors.partialResult, limits) };

ignoreStopSignals();
serve(
  (request, flush, scheduler) => extractDocument(request, { ...parts, ...partialResult, flush, scheduler }),
  limits,
);
exitWithParent();
