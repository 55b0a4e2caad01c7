export interface OpenSearchServer {
  readonly url: string;
  readonly port: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
  pause(): boolean;
  resume(): boolean;
}

export function missingForOpenSearch(): string | undefined;

export function startOpenSearch(options: {
  readonly home: string;
  readonly port?: number;
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}): Promise<OpenSearchServer>;
