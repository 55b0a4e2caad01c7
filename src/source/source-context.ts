/** What a source needs besides the settings of its job. */
export interface SourceContext {
  /** Folder of all jobs: what is known of servers lies there. */
  readonly configDirectory: string;
  /** For what a person should know, such as a host key that is trusted for the first time. */
  readonly log: (message: string) => void;
}
