/** What the person typed, checked for syntax only. */
export interface RunOptions {
  readonly config_dir: string;
  readonly loop: number;
  readonly restart: boolean;
  readonly rest: boolean;
  readonly setup: boolean;
  readonly list: boolean;
  readonly silent: boolean;
  readonly upgrade: boolean;
  readonly debug: boolean;
  readonly trace: boolean;
  readonly set: readonly string[];
  readonly username?: string;
  readonly api_key?: string;
}

export interface SearchOptions {
  readonly config_dir: string;
  readonly set: readonly string[];
  readonly index?: string;
  readonly json: boolean;
  readonly all: boolean;
  readonly size: number;
}

export interface PushOptions {
  readonly config_dir: string;
  readonly set: readonly string[];
  readonly to: string;
}
