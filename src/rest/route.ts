import type { Request, RequestHandler, Response, Router } from 'express';

/** One endpoint. Express itself lets a GET answer HEAD. */
export interface RestRoute {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  /** Express path below the base address. */
  readonly path: string;
  handle(request: Request, response: Response): Promise<void> | void;
}

export function mountRoutes(router: Router, routes: readonly RestRoute[]): void {
  for (const each of routes) {
    const handler: RequestHandler = (request, response) => each.handle(request, response);
    switch (each.method) {
      case 'GET':
        router.get(each.path, handler);
        break;
      case 'HEAD':
        router.head(each.path, handler);
        break;
      case 'POST':
        router.post(each.path, handler);
        break;
      case 'PUT':
        router.put(each.path, handler);
        break;
      case 'DELETE':
        router.delete(each.path, handler);
        break;
    }
  }
}

/** A path parameter, percent-decoded. */
export function pathParameter(request: Request, name: string): string {
  const value = request.params[name];
  return typeof value === 'string' ? value : (value ?? []).join('/');
}
