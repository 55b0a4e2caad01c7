import type { RequestHandler } from 'express';
import helmet from 'helmet';

/**
 * Headers for browsers: an answer is data, never a page, a script or a picture of another one, whatever text of a document
 * is in it. TLS ends at the proxy in front, so Strict-Transport-Security is its business; what else helmet would send is for
 * pages and for browsers that are gone.
 * @param enableCors pages of other sites may load answers
 */
export function securityHeaders(enableCors: boolean): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: enableCors ? 'cross-origin' : 'same-origin' },
    frameguard: { action: 'deny' },
    crossOriginOpenerPolicy: false,
    hsts: false,
    originAgentCluster: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });
}
