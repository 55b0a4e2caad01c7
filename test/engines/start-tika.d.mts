export interface RunningTika {
  readonly url: string;
  readonly port: number;
  pids(): readonly number[];
  kill(): Promise<void>;
  pause(): void;
  resume(): void;
}

export const TIKA_VERSION: string;

export function missingForTika(): string | undefined;

export function startTika(options?: {
  readonly port?: number;
  readonly watched?: boolean;
  readonly livesLong?: boolean;
  readonly heapMb?: number;
}): Promise<RunningTika>;
