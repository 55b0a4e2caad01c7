import type { SortOrder } from '../search/sort-order.js';

/** What the person typed, checked for syntax only. */
export interface RunOptions {
  readonly config_dir: string;
  readonly loop: number;
  readonly restart: boolean;
  readonly watch: boolean;
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
  readonly version?: boolean;
}

/** What a run needs to know of the command line besides its options. */
export interface CommandLine {
  /** What was typed behind the job. */
  readonly excess: readonly string[];
  /** Nothing was typed that asks for a run. */
  readonly isBare: boolean;
  printHelp(): void;
}

export interface SearchOptions {
  readonly config_dir: string;
  readonly set: readonly string[];
  readonly index?: string;
  readonly json: boolean;
  readonly all: boolean;
  readonly size: number;
  readonly from: number;
  readonly sort: SortOrder;
  readonly type: readonly string[];
  readonly in: readonly string[];
  readonly author: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly facets: boolean;
}

export interface McpOptions {
  readonly config_dir: string;
  readonly set: readonly string[];
  readonly crawl: boolean;
  readonly allowAdd: boolean;
  readonly printConfig?: McpClient;
}

/** Programs whose configuration `crawler mcp --print-config` prints. */
export const mcpClients = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'http', 'other'] as const;
export type McpClient = (typeof mcpClients)[number];

export interface PushOptions {
  readonly config_dir: string;
  readonly set: readonly string[];
  readonly to: string;
}

export interface ApproveOptions {
  readonly config_dir: string;
  readonly set: readonly string[];
}

interface InspectOptions {
  readonly config_dir: string;
  readonly set: readonly string[];
  readonly json: boolean;
}

export interface WhyOptions extends InspectOptions {
  readonly job?: string;
}

export interface VerifyOptions extends InspectOptions {
  readonly fix: boolean;
  readonly deep: boolean;
  readonly acknowledge: boolean;
}

export interface FailuresOptions extends InspectOptions {
  readonly reason?: string;
  readonly all: boolean;
  readonly retry: boolean;
}

export type PlanOptions = InspectOptions;
export type DoctorOptions = InspectOptions;

export interface BackupOptions extends InspectOptions {
  readonly to: string;
}

/** What `crawler generate` can print. */
export const generatedNames = ['bash', 'zsh', 'fish', 'man', 'systemd', 'launchd', 'winsw'] as const;
export type GeneratedName = (typeof generatedNames)[number];

export interface GenerateOptions {
  readonly user: boolean;
}

export interface ExtractOptions extends InspectOptions {
  readonly job?: string;
  readonly password?: string;
}
