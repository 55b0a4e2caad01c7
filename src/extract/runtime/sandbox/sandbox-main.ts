import { setFlagsFromString } from 'node:v8';
import type { DocumentLimits } from '../../limits.js';
import { findFormat } from '../../registry.js';
import { BrokerMessageReader } from './broker-message-reader.js';
import { BrokerOcr } from './broker-ocr.js';
import { BrokerRequests } from './broker-requests.js';
import { exitWithParent } from './exit-with-parent.js';
import { extractDocument } from './extract-document.js';
import { ignoreStopSignals } from '../../../base/ignore-stop-signals.js';
import { serve } from './serve.js';

/**
 * The program of a sandbox process. Arguments: the limits for a document as JSON, and where documents come from: `broker`, or
 * `pool`, whose documents it opens itself.
 */
const [, , limitsText = '{}', from] = process.argv;
const limits = JSON.parse(limitsText) as DocumentLimits;
const requests = new BrokerRequests();

// Code is optimised at three times the use at which V8 would do it by itself: most documents are over by then. On the command
// line, a release of Node without this flag would not start.
setFlagsFromString('--interrupt-budget=400000');
ignoreStopSignals();
serve(
  (request, parts) => extractDocument(request, { limits, findFormat, ...parts }),
  limits,
  from === 'broker' ? new BrokerMessageReader(requests, new BrokerOcr(requests)) : undefined,
);
// A process with a broker ends with it.
if (from !== 'broker') exitWithParent();
