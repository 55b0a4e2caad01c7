import cors from 'cors';
import type { RequestHandler } from 'express';

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS, HEAD';
const HEADERS = 'origin, content-type, accept, authorization';

/** `rest.enable_cors`: the four access headers on every response, not only on preflights; OPTIONS is answered here. */
export function allowCrossOrigin(): RequestHandler {
  const answer = cors({
    origin: '*',
    credentials: true,
    methods: METHODS,
    allowedHeaders: HEADERS,
    optionsSuccessStatus: 200,
  });
  return (request, response, next) => {
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    response.setHeader('Access-Control-Allow-Headers', HEADERS);
    answer(request, response, next);
  };
}
