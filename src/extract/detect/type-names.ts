/** Types that other rules refer to: the general kinds under which the special ones stand. */
export const UNKNOWN = 'application/octet-stream';
export const TEXT = 'text/plain';
export const XML = 'application/xml';
export const HTML = 'text/html';
export const ZIP = 'application/zip';
export const OLE = 'application/x-tika-msoffice';
export const GZIP = 'application/gzip';
export const MP4 = 'video/quicktime';
