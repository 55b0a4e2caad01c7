import { pathToFileURL } from 'node:url';
import { resourceOf, type DocumentLinks, type McpContext } from './mcp-context.js';

/** The file itself, where it is one of this machine. */
export function fileLinks({ jobName, isLocal }: Pick<McpContext, 'jobName' | 'isLocal'>): DocumentLinks {
  return {
    url({ id, path, origin }, page) {
      if (origin !== 'crawl' || path === null || !isLocal) return resourceOf(jobName, id);
      return `${pathToFileURL(path).href}${page === null ? '' : `#page=${page}`}`;
    },
  };
}

/** The search page of the service, at the document and the page of it. */
export function pageLinks(address: string): DocumentLinks {
  return {
    url({ id }, page) {
      return `${address}/ui/?doc=${encodeURIComponent(id)}${page === null ? '' : `&page=${page}`}`;
    },
  };
}
