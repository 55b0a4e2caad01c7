import type { RequestHandler } from 'express';
import type { Logger } from '../../base/logger.js';

/** One line a request, at debug level. Without the query: passwords may stand there. */
export function requestLog(logger: Logger): RequestHandler {
  return (request, response, next) => {
    if (!logger.isEnabled('debug')) {
      next();
      return;
    }
    const { method, path } = request;
    const startMs = performance.now();
    response.once('close', () => {
      const tookMs = Math.round(performance.now() - startMs);
      logger.debug('Request', { method, path, status: response.statusCode, tookMs });
    });
    next();
  };
}
