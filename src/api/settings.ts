// Generated from src/settings/declarations: `npm run docs` writes this file anew.

/** Settings of a job, with the keys of `_settings.yaml`. The page `docs/settings.md` says how values are written. */
export interface Settings {
  /** Name of the job; the indices are named after it. Default: the name of the job directory. */
  readonly name?: string;
  /** What is crawled, and what is kept of it. */
  readonly fs?: {
    /** Root folder: a path on this machine, or in the source that `fs.provider` names. A crawl requires it: the default only limits what a `local` fetch may read. Empty: no crawl. Default: `/tmp/es`. */
    readonly url?: string;
    /** Pause between two scans. Default: `15m`. */
    readonly update_rate?: string;
    /** Only files that match one of these patterns. Empty: all files. */
    readonly includes?: readonly string[];
    /** Files and folders that match one of these patterns are left out. Password files (`*.password`, `*\/.password`) are always excluded. */
    readonly excludes?: readonly string[];
    /** Only documents in whose text every one of these regular expressions is found. */
    readonly filters?: readonly string[];
    /** JSON files become the documents themselves. Default: `false`. */
    readonly json_support?: boolean;
    /** With `json_support` or `xml_support`: put their content below `object` of an ordinary document. Default: `false`. */
    readonly add_as_inner_object?: boolean;
    /** XML files become the documents themselves, turned into JSON. Default: `false`. */
    readonly xml_support?: boolean;
    /** Follow symbolic links. Default: `false`. */
    readonly follow_symlinks?: boolean;
    /** Remove documents from the index when their files are gone. Default: `true`. */
    readonly remove_deleted?: boolean;
    /** Continue a scan after a file that cannot be read. Default: `false`. */
    readonly continue_on_error?: boolean;
    /** Skip files that are larger than this. */
    readonly ignore_above?: string | -1;
    /** The document id is the file name instead of a hash of the path. Default: `false`. */
    readonly filename_as_id?: boolean;
    /** Digest of the document ids. Changing it changes every id; `--setup` writes SHA-256 for new jobs. Default: `MD5`. */
    readonly hash_algorithm?: string;
    /** Extract text and metadata. Without it only name, path, size and dates are indexed, and the file itself with `store_source`. Default: `true`. */
    readonly index_content?: boolean;
    /** Write `file.filesize`. Default: `true`. */
    readonly add_filesize?: boolean;
    /** Write owner, group and permissions (`attributes.*`). Default: `false`. */
    readonly attributes_support?: boolean;
    /** Write access control lists (`attributes.acl`); needs `attributes_support`. Default: `false`. */
    readonly acl_support?: boolean;
    /** Detect the language of the text (`meta.language`). Default: `false`. */
    readonly lang_detect?: boolean;
    /** Store each file itself in the index, as base64 in `attachment`. Default: `false`. */
    readonly store_source?: boolean;
    /** How much text is kept: characters, a share of the file size, `-1` for all, `0` for none. Not set: 100,000 characters. */
    readonly indexed_chars?: string | number;
    /** Keep where pages begin (`pages`), so that a search shows the page of a hit. Not set: with the embedded index only. */
    readonly page_numbers?: boolean;
    /** Keep all metadata as they were found (`meta.raw`). Default: `false`. */
    readonly raw_metadata?: boolean;
    /** Digest of the file for `file.checksum`; needs `index_content`. */
    readonly checksum?: string;
    /** Index the folders too, in an index of their own. Default: `true`. */
    readonly index_folders?: boolean;
    /** Accepted for compatibility with FSCrawler, without effect: a Tika server has its own configuration. */
    readonly tika_config_path?: string;
    /** Folder for what does not fit into memory: large uploads, remote files. Default: `<config_dir>/<job>/tmp`. */
    readonly temp_dir?: string;
    /** Where `fs.url` is: on this machine (`local`), or in another source (docs/sources). Default: `${server.protocol}`. */
    readonly provider?: 'local' | 'ftp' | 'ssh' | 's3' | 'webdav';
    /** Index changes at once, besides the regular scans. Default: `false`. */
    readonly watch?: boolean;
    /** With `watch`: a file is read once its size and date have been the same for this long. Default: `2s`. */
    readonly stability?: string;
    /** A scan that would remove more than this waits for approval: a share of the job's documents (but never fewer than 1,000), or a number of documents. Default: `50%`. */
    readonly delete_guard?: string | number;
    /** Text in pictures, read by tesseract where it is installed (crawler help ocr). */
    readonly ocr?: {
      /** Recognise text in images and scanned pages. Default: `true`. */
      readonly enabled?: boolean;
      /** Tesseract's languages, joined with `+`. Default: `eng`. */
      readonly language?: string;
      /** The tesseract program, or the folder that holds it. Not set: found on the `PATH`. */
      readonly path?: string;
      /** Folder of tesseract's language data (`tessdata`). */
      readonly data_path?: string;
      /** How tesseract is asked for the text: as plain text, or as hOCR, of which only the words are kept. Default: `txt`. */
      readonly output_type?: 'txt' | 'hocr';
      /** PDF: text and recognition, recognition only, recognition of pages without text (`auto`), or none. `--setup` writes `auto` for new jobs. Default: `ocr_and_text`. */
      readonly pdf_strategy?: 'ocr_and_text' | 'ocr_only' | 'auto' | 'no_ocr';
      /** Tesseract's page segmentation mode (`--psm`). Default: `1`. */
      readonly page_seg_mode?: number;
      /** Keep the blanks between words. Default: `false`. */
      readonly preserve_interword_spacing?: boolean;
      /** Time for the recognition of one page or picture. A page that takes longer has no recognised text. Default: `1m`. */
      readonly page_timeout?: string;
      /** Time for the recognition of one document, on top of `extractor.limits.time`. Default: `30m`. */
      readonly document_timeout?: string;
    };
    /** An S3 bucket to crawl, with `fs.provider: s3`; `fs.url` is the prefix in it. */
    readonly s3?: {
      /** Address of the service. Not set: Amazon S3 of the region. */
      readonly endpoint?: string;
      /** Name of the bucket. */
      readonly bucket?: string;
      /** Region of the bucket. Default: `us-east-1`. */
      readonly region?: string;
      /** Access key. */
      readonly access_key?: string;
      /** Secret key. */
      readonly secret_key?: string;
      /** Session token of temporary keys. */
      readonly session_token?: string;
      /** Profile of `~/.aws/config` and `~/.aws/credentials`, with its role. Not set: the environment's. */
      readonly profile?: string;
      /** Without keys: `instance` also asks for the role of the container or machine, `anonymous` uses none. Not set: those of environment and profile, or none for a public bucket. */
      readonly credentials?: 'instance' | 'anonymous';
      /** Put the bucket into the path instead of the host name. Not set: only where an `endpoint` is given. */
      readonly path_style?: boolean;
    };
    /** A WebDAV server to crawl, with `fs.provider: webdav`; `fs.url` is the folder below its address. */
    readonly webdav?: {
      /** Address of the share. */
      readonly endpoint?: string;
      /** Login name. Not set: no login. */
      readonly username?: string;
      /** Login password. */
      readonly password?: string;
    };
  };
  /** Passwords to try on protected documents. */
  readonly passwords?: {
    /** Where passwords come from; `noop` has none. Default: `noop`. */
    readonly provider?: 'noop' | 'static' | 'disk' | 'chained';
    /** One section for each provider. */
    readonly providers?: {
      /** Passwords written here. */
      readonly static?: {
        /** One password. */
        readonly value?: string;
        /** Several passwords, tried in this order. They replace `value`. */
        readonly values?: readonly string[];
      };
      /** Passwords in files beside the documents: `report.pdf.password`, or `.password` of a folder. */
      readonly disk?: {
        /** Root of the tree of password files. Default: `${fs.url}`. */
        readonly url?: string;
      };
      /** Several providers, one after the other. */
      readonly chained?: {
        /** Names of the providers, in order. */
        readonly providers?: readonly ('noop' | 'static' | 'disk')[];
      };
    };
  };
  /** Fields that you add to documents. */
  readonly tags?: {
    /** Name of the file that holds fields for the documents of its folder. Empty: there is none. Default: `.meta.yml`. */
    readonly meta_filename?: string;
    /** File that holds fields for every document. */
    readonly static_meta_filename?: string;
  };
  /** The server of `fs.provider: ftp` and `ssh`, and of uploads that are fetched from one. */
  readonly server?: {
    /** Name or address of the server. */
    readonly hostname?: string;
    /** Port. 0: the usual one of the protocol (22 for `ssh`, 21 for `ftp`, 990 for implicit TLS). Default: `0`. */
    readonly port?: number;
    /** Login name. For `ftp` without one: `anonymous`. */
    readonly username?: string;
    /** Login password. */
    readonly password?: string;
    /** Old name of `fs.provider`. Default: `local`. */
    readonly protocol?: 'local' | 'ssh' | 'ftp';
    /** Private key for `ssh`. */
    readonly pem_path?: string;
    /** The only host key to accept over `ssh`: its SHA-256 fingerprint. Not set: the first one seen is remembered. */
    readonly host_key?: string;
    /** TLS for `ftp`: none, from the AUTH command on, or from the first byte. Default: `none`. */
    readonly ftps?: 'none' | 'explicit' | 'implicit';
  };
  /** The search index. Also accepted under the name `elasticsearch`. */
  readonly engine?: {
    /** Nodes of an Elasticsearch or OpenSearch cluster. Empty: the embedded index, which needs no server. */
    readonly urls?: readonly string[];
    /** Which engine keeps the index. `auto`: the cluster when `engine.urls` names one, else the embedded index. `elasticsearch` also means OpenSearch. Default: `auto`. */
    readonly provider?: 'auto' | 'embedded' | 'elasticsearch';
    /** Index (or alias) of the documents. A job whose name cannot be that of an index gets one that is made of it. Default: `${name}_docs`. */
    readonly index?: string;
    /** Index of the folders. Default: `${name}_folder`. */
    readonly index_folder?: string;
    /** Operations sent together. Default: `100`. */
    readonly bulk_size?: number;
    /** `create` keeps a document that is in the index already, `index` replaces it. Default: `index`. */
    readonly bulk_operation?: 'index' | 'create';
    /** Longest wait before operations are sent. Default: `5s`. */
    readonly flush_interval?: string;
    /** Bytes sent together; 0 or -1 for no limit. Default: `10mb`. */
    readonly byte_size?: string;
    /** Encoded API key of the cluster. */
    readonly api_key?: string;
    /** User of the cluster; an API key is better. */
    readonly username?: string;
    /** Password of that user. */
    readonly password?: string;
    /** Certificate of the authority that signed those of the cluster. */
    readonly ca_certificate?: string;
    /** Check the certificates of the cluster. Without it, anyone can impersonate the cluster. Default: `true`. */
    readonly ssl_verification?: boolean;
    /** Ingest pipeline for the documents. */
    readonly pipeline?: string;
    /** Path prefix of every request, for a proxy. */
    readonly path_prefix?: string;
    /** Create index and component templates at start. Default: `true`. */
    readonly push_templates?: boolean;
    /** Overwrite templates that exist. Default: `false`. */
    readonly force_push_templates?: boolean;
    /** Index the text for semantic search where server and licence allow it. Default: `true`. */
    readonly semantic_search?: boolean;
    /** How long one search of the embedded index may take; then it is stopped. Default: `30s`. */
    readonly search_timeout?: string;
    /** How long to wait for the cluster at start; `-1`: without limit. Default: `1m`. */
    readonly start_timeout?: string | -1;
  };
  /** The HTTP service of `--rest`. */
  readonly rest?: {
    /** Address to listen on. Its path is the prefix of every endpoint. Default: `http://127.0.0.1:8080`. */
    readonly url?: string;
    /** Allow pages of other sites to call the service. Default: `false`. */
    readonly enable_cors?: boolean;
    /** Keys of callers (bearer token, or password of basic authentication). Empty: anyone may call. */
    readonly api_keys?: readonly string[];
    /** Keys of callers who may search, and read documents and the status, and change nothing. */
    readonly read_keys?: readonly string[];
    /** Host names under which browsers may reach the service, besides its own address. */
    readonly allowed_hosts?: readonly string[];
    /** Largest upload, all of its documents together. Not set: no limit. */
    readonly max_upload_size?: string | -1;
    /** Answer failures with 400, 404 or 502 instead of 200 and `"ok": false`. Default: `false`. */
    readonly strict_status?: boolean;
    /** For scripts of FSCrawler: the prefix `/fscrawler`, `POST /_upload`, and `elasticsearch` beside `engine` in the status. Not set: for a job that was one of FSCrawler. */
    readonly legacy?: boolean;
    /** Serve pages to browsers at `/ui/` (docs/web.md): `search` without the page of operators, `off` none. Default: `on`. */
    readonly ui?: 'on' | 'search' | 'off';
    /** Tags of documents that the search counts and filters by (docs/search.md), besides type, folder and so on. */
    readonly facets?: readonly string[];
    /** How often a service that crawls compares tree and index by itself (docs/trust.md), first after its first complete scan and always between two scans. -1: never. Default: `1d`. */
    readonly verify_rate?: string | -1;
    /** Serve assistants at `POST /mcp` (docs/mcp.md): `on` lets them search and read, `add` also add documents, `off` nothing. Default: `on`. */
    readonly mcp?: 'on' | 'add' | 'off';
    /** Addresses that documents may be fetched from with `type: http`. */
    readonly fetch?: {
      /** Hosts and networks that are allowed although they would be denied by default. */
      readonly allow?: readonly string[];
      /** Hosts and networks that are denied, besides link-local and cloud metadata addresses. */
      readonly deny?: readonly string[];
    };
  };
  /** How text and metadata are extracted from documents. */
  readonly extractor?: {
    /** Built in, a Tika server for everything, or a Tika server for what is not built in (`auto`). Default: `embedded`. */
    readonly provider?: 'embedded' | 'tika' | 'auto';
    /** Extraction processes. Not set: one for each core. */
    readonly processes?: number;
    /** How the processes that read documents are kept from files, programs and the network: as this system offers it (`best`), fully or the job does not start (`strict`), or not at all (`off`). [security.md](security.md) explains it. Default: `best`. */
    readonly sandbox?: 'strict' | 'best' | 'off';
    /** Documents after which the process that reads them is replaced: one that a document has taken over sees those that follow. `1`: a new process, some 0.2s, for each. `0`: when it has read 50,000. Default: `0`. */
    readonly sandbox_documents?: number;
    /** A Tika server. */
    readonly tika?: {
      /** Address of the server. */
      readonly url?: string;
      /** Documents that the server processes at the same time. Not set: as many as `extractor.processes`. */
      readonly concurrency?: number;
      /** Time for one document. Default: `5m`. */
      readonly timeout?: string;
      /** How often a server that is unavailable is tried again, at intervals of 500ms, 1s, 2s … 8s. Default: `5`. */
      readonly retries?: number;
      /** How long to wait for the server at start; `-1`: without limit. Default: `1m`. */
      readonly start_timeout?: string | -1;
    };
    /** Limits for one document. Beyond them, it is indexed with what was extracted until then. */
    readonly limits?: {
      /** Time for one document. Default: `1m`. */
      readonly time?: string;
      /** Memory of an extraction process. Default: `1gb`. */
      readonly memory?: string;
      /** Text of one document, a character counted as a byte. Default: `50mb`. */
      readonly text?: string;
      /** Everything that is unpacked from one document. Default: `512mb`. */
      readonly unpacked?: string;
      /** How many times its own size a document may unpack to, from 32 MB on. Default: `200`. */
      readonly ratio?: number;
      /** Parts inside one document: archive entries, attachments. Default: `2000`. */
      readonly members?: number;
      /** Nesting depth of documents inside documents. Default: `8`. */
      readonly depth?: number;
    };
  };
}
