import type { ExtractionRequest, OcrOptions } from '../extraction.js';

/**
 * What a Tika server gets besides a document: headers of `PUT /rmeta/…`.
 *
 * A header of a kind (`X-Tika-OCR…`, `X-Tika-PDF…`) makes the server forget what its own configuration says about that kind,
 * so all settings of the job are sent, not only those that differ from the server's defaults.
 */
export interface HeaderOptions {
  /** One password to try. */
  readonly password: string | undefined;
  /** Characters after which the server stops. */
  readonly writeLimit: number;
  /** Parts inside the document that are extracted at most. */
  readonly mostParts: number;
  /** After how long the server itself gives up; undefined leaves that to its own configuration. */
  readonly serverTimeoutMs: number | undefined;
}

export function requestHeaders({ name, options }: ExtractionRequest, limits: HeaderOptions): Record<string, string> {
  const { password, writeLimit, mostParts, serverTimeoutMs } = limits;
  return {
    accept: 'application/json',
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; ${nameParameter(name)}`,
    writeLimit: String(writeLimit),
    maxEmbeddedResources: String(mostParts),
    ...(password === undefined ? {} : passwordHeader(password)),
    ...(serverTimeoutMs === undefined ? {} : { 'X-Tika-Timeout-Millis': String(serverTimeoutMs) }),
    ...ocrHeaders(options.ocr),
  };
}

/** RFC 5987, so that a name in any script arrives: it decides about types that have emptyResult else to tell them by. */
export function nameParameter(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `filename*=UTF-8''${encoded}`;
}

/** The plain header takes visible ASCII only, and would lose blanks at the ends. */
function passwordHeader(password: string): Record<string, string> {
  if (/^[!-~](?:[ -~]*[!-~])?$/.test(password)) return { Password: password };
  return { 'Password_Base64_UTF-8': Buffer.from(password).toString('base64') };
}

const PDF_STRATEGIES: Readonly<Record<OcrOptions['pdfStrategy'], string>> = {
  ocr_and_text: 'ocr_and_text_extraction',
  ocr_only: 'ocr_only',
  auto: 'auto',
  no_ocr: 'no_ocr',
};

function ocrHeaders(ocr: OcrOptions): Record<string, string> {
  if (!ocr.enabled) return { 'X-Tika-OCRskipOcr': 'true', 'X-Tika-PDFOcrStrategy': 'no_ocr' };
  return {
    'X-Tika-OCRLanguage': ocr.language,
    'X-Tika-OCRPageSegMode': String(ocr.pageSegMode),
    'X-Tika-OCROutputType': ocr.outputType,
    'X-Tika-OCRTimeoutSeconds': String(Math.max(1, Math.round(ocr.pageTimeoutMs / 1000))),
    'X-Tika-OCRPreserveInterwordSpacing': String(ocr.preserveInterwordSpacing),
    'X-Tika-PDFOcrStrategy': PDF_STRATEGIES[ocr.pdfStrategy],
  };
}
