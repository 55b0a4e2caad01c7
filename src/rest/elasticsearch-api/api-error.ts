/** What is answered as an error in Elasticsearch's shape. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly type: string;
  /** Further members of the error. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, type: string, reason: string, details: Readonly<Record<string, unknown>> = {}) {
    super(reason);
    this.status = status;
    this.type = type;
    this.details = details;
  }
}

export function unsupported(what: string): ApiError {
  return invalidArgument(`${what} is not supported by the embedded index`);
}

export function invalidArgument(reason: string): ApiError {
  return new ApiError(400, 'illegal_argument_exception', reason);
}

export function noSuchIndex(index: string): ApiError {
  const details = { 'resource.type': 'index_or_alias', 'resource.id': index, index };
  return new ApiError(404, 'index_not_found_exception', `no such index [${index}]`, details);
}
