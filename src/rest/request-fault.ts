/** A request that the protocol forbids or that makes no sense: status and sentence of its answer. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function badRequest(message: string): RequestFault {
  return new RequestFault(400, message);
}
