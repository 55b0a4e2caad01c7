import { cpSync, mkdirSync } from 'node:fs';
import { fencesOf } from './page-commands.js';
import type { Reader } from './reader.js';

/** How a command of a page is tried. */
export interface Step {
  /** What a command prints that is run as written. */
  readonly prints?: RegExp;
  /** What a command prints that runs until CTRL+C, which is pressed then. */
  readonly until?: RegExp;
  /** It keeps running beside the commands that follow. */
  readonly keeps?: boolean;
  /** Its exit code where that is not 0. */
  readonly code?: number;
  /** What has to be there first. */
  readonly before?: (reader: Reader) => void | Promise<void>;
  /** The folder below the home where it is typed. */
  readonly in?: string;
  /** Why it is not run here. What it gives to our program is parsed all the same. */
  readonly parsed?: string;
}

/** The commands of a page in their order, in one home. */
export type Steps = readonly (readonly [command: string, step: Step])[];

const text = 'The annual report: an invoice for the lighthouse.';

function hasDocuments(reader: Reader): void {
  reader.writes('docs/invoice.txt', text);
  reader.writes('Documents/Annual report.txt', text);
  reader.writes('Documents/reports/Übersicht (2).txt', text);
  cpSync('examples/documents/mail', reader.path('Documents/mail'), { recursive: true });
  reader.writes('Documents/old/report.doc', 'no Word document');
}

function hasJob(name: string, folder: string, more = ''): (reader: Reader) => void {
  return (reader) => {
    reader.writesJob(name, `name: ${name}\nfs:\n  url: ${JSON.stringify(reader.path(folder))}\n${more}`);
  };
}

/** Runs the job once before the command. */
function hasRun(name: string, folder: string, more = ''): (reader: Reader) => Promise<void> {
  return async (reader) => {
    hasDocuments(reader);
    hasJob(name, folder, more)(reader);
    await reader.types([name, '--loop', '1', '--silent']);
  };
}

/** The job of a folder that was crawled by its path. */
async function hasFolder(reader: Reader): Promise<void> {
  hasDocuments(reader);
  await reader.types(['./docs', '--loop', '1', '--silent']);
}

/** A service of a job of its own, for the commands that talk to it. */
function hasService(
  files: readonly string[] = [],
  settings: readonly string[] = [],
): (reader: Reader) => Promise<void> {
  return async (reader) => {
    for (const file of files) reader.writes(file, text);
    const options = settings.map((setting) => `--set ${setting}`).join(' ');
    const step = { until: /Rest service started on/, keeps: true };
    await reader.follows(`crawler inbox --loop 0 --rest ${options}`, step);
  };
}

/** A job with a tree, which has been crawled. */
async function servesFolder(reader: Reader): Promise<void> {
  reader.writes('docs/archive/report.pdf', text);
  await reader.follows('crawler ./docs --rest', { until: /indexed \[1\]/, keeps: true });
}

/** The settings that the page shows, at the path that their first line names. */
function hasSettingsOf(page: string): (reader: Reader) => void {
  return (reader) => {
    for (const { language, lines } of fencesOf(page)) {
      const [, path] = /^# ~\/(\S+)$/.exec(lines[0] ?? '') ?? [];
      if (language === 'yaml' && path !== undefined) reader.writes(path, lines.join('\n'));
    }
  };
}

const makesUser = 'needs root, and changes the machine';
const systemd = 'needs systemd';
const container = 'needs a container runtime and a network';
const npm = 'the package is installed, run and removed by test/full/package';
const remote = /files\.example\.com|cloud\.example\.com/;
const refused = /"ok":\s?false/;

export const pageSteps: Readonly<Record<string, Steps>> = {
  'README.md': [
    ['crawler ./docs --rest', { before: hasDocuments, until: /Will restart at/ }],
    ['crawler search ./docs invoice', { prints: /an invoice for[\s\S]*1 documents? found\./ }],
    ['npm ci && npm run example', { parsed: 'a fresh clone is set up by test/full/first-hour' }],
    ['npm ci && npm test', { parsed: 'these are the tests' }],
    ['node bin/crawler.js ~/Documents --loop 1', { prints: /The index holds \d+ documents/ }],
    [
      'node bin/crawler.js search ~/Documents "annual report"',
      { prints: /The annual report:[\s\S]*documents? found\./ },
    ],
    ['node bin/crawler.js ~/Documents', { until: /Will restart at/, prints: /Stopped\. .* nothing is pending\./ }],
    ['node bin/crawler.js ~/Documents --rest', { until: /Will restart at/, keeps: true }],
    ['crawler my_job --setup', { prints: /\.crawler\/my_job\/_settings\.yaml/ }],
    [
      'crawler my_job',
      { before: hasJob('my_job', 'Documents/mail'), until: /Will restart at/, prints: /nothing is pending/ },
    ],
    ['crawler', { prints: /Usage: crawler[\s\S]*Jobs in[\s\S]*my_job/ }],
    ['crawler search lighthouse', { in: 'Documents/reports', prints: /in the job \[Documents\]/ }],
    ['crawler search ~/Documents/reports lighthouse', { prints: /1 document found below \[.*\/Documents\/reports\]/ }],
    ['crawler why ~/Documents/old/report.doc', { prints: /^indexed/m }],
    ['crawler why ~/Documents/old', { prints: /Files in it and below: 1 indexed/ }],
    ['crawler failures my_job', { prints: /my_job/ }],
    ['crawler verify my_job', { prints: /agree/ }],
    ['crawler plan my_job', { prints: /The next scan:/ }],
    [
      'crawler extract report.doc letter.eml',
      {
        before: (reader) => {
          reader.writes('report.doc', text);
          reader.writes('letter.eml', 'Subject: Lamp\nFrom: a@example.com\n\nThe lamp.\n');
        },
        prints: /The lamp\./,
      },
    ],
    ['crawler doctor my_job', { prints: /Job \[my_job\]/ }],
    [
      'curl -F file=@report.pdf http://127.0.0.1:8080/_document',
      { before: (reader) => void reader.writes('report.pdf', text), prints: /"ok":true/ },
    ],
    ["curl 'http://127.0.0.1:8080/_search?q=lighthouse'", { prints: /"total"/ }],
    ['curl http://127.0.0.1:8080/_crawler/status', { prints: /"state"/ }],
    ['curl -X POST http://127.0.0.1:8080/_crawler/pause', { prints: /"ok"/ }],
  ],
  'docs/coming-from-fscrawler.md': [
    [
      'crawler my_job --config_dir ~/.fscrawler --loop 1',
      {
        before: (reader) => {
          hasDocuments(reader);
          reader.writes('.fscrawler/my_job/_settings.yaml', `name: my_job\nfs:\n  url: ${reader.path('docs')}\n`);
        },
        prints: /indexed \[1\]/,
      },
    ],
  ],
  'docs/install.md': [
    ['npm install --global document-crawler', { parsed: npm }],
    ['crawler ./docs --loop 1', { before: hasDocuments, prints: /The index holds 1 document/ }],
    ['npm install --global tesseract.js @tesseract.js-data/eng', { parsed: npm }],
    ['sha256sum --check --ignore-missing SHA256SUMS', { parsed: 'needs a release' }],
    ['tar xzf document-crawler-*-linux-x64.tar.gz -C /opt', { parsed: 'needs a release' }],
    ['mv /opt/document-crawler-*-linux-x64 /opt/document-crawler', { parsed: 'needs a release' }],
    ['ln -s /opt/document-crawler/bin/crawler /usr/local/bin/crawler', { parsed: 'needs a release' }],
    ['packaging/standalone/build linux-x64', { parsed: 'made by test/full/package' }],
    ['docker build -f packaging/container/Containerfile -t document-crawler build', { parsed: container }],
    [
      'docker run --rm -v "$PWD/docs:/data:ro" -v crawler:/config document-crawler /data --loop 1',
      { parsed: container },
    ],
    ['npm ci', { parsed: 'a fresh clone is set up by test/full/first-hour' }],
    ['npm run build', { parsed: 'a fresh clone is set up by test/full/first-hour' }],
    ['node bin/crawler.js ./docs --loop 1', { prints: /The index holds 1 document/ }],
    [
      'mkdir -p ~/.local/share/bash-completion/completions && crawler generate bash > ~/.local/share/bash-completion/completions/crawler',
      {},
    ],
    ['crawler generate zsh > "${fpath[1]}/_crawler"', { parsed: 'needs zsh: test/full/cli runs what it writes' }],
    ['mkdir -p ~/.config/fish/completions && crawler generate fish > ~/.config/fish/completions/crawler.fish', {}],
    ['crawler generate man | sudo tee /usr/local/share/man/man1/crawler.1 > /dev/null', { parsed: makesUser }],
    ['man crawler', { parsed: 'needs the manual page of the system' }],
    ['npm uninstall --global document-crawler', { parsed: npm }],
    ['rm -r ~/.crawler', {}],
  ],
  'docs/library.md': [['npm install document-crawler', { parsed: npm }]],
  'docs/text-analysis.md': [
    [
      `curl -s localhost:8080/_engine/docs_docs/_search -H 'Content-Type: application/json' -d '{"suggest": {"meant": {"text": "lighthuose", "term": {"field": "content"}}}}'`,
      { parsed: 'test/contract/nearness-contract.ts makes such requests' },
    ],
  ],
  'docs/mcp.md': [
    ['crawler ./docs --loop 1', { before: hasFolder, prints: /The index holds 1 document/ }],
    ['crawler mcp ./docs --print-config claude-desktop', { prints: /"mcpServers"/ }],
    ['crawler ./docs --rest', { until: /Rest service started on/, keeps: true }],
    ['crawler mcp ./docs --print-config http', { prints: /\/mcp/ }],
  ],
  'docs/operating.md': [
    ['curl --fail --silent http://127.0.0.1:8080/_health', { before: hasService(), prints: /"ok":true|"status"/ }],
    ['mkdir -p ~/backups', { before: hasRun('my_job', 'docs') }],
    ['crawler backup my_job --to ~/backups/my_job-2026-03-02', { prints: /my_job-2026-03-02/ }],
    ['mv ~/.crawler/my_job ~/.crawler/my_job.before', {}],
    ['cp -a ~/backups/my_job-2026-03-02 ~/.crawler/my_job', {}],
    ['crawler verify my_job', { prints: /agree/ }],
  ],
  'docs/rest.md': [
    [
      `curl -F file=@report.pdf -F 'tags={"external":{"team":"a"}}' http://127.0.0.1:8080/_document`,
      { before: hasService(['report.pdf', 'letter.docx']), prints: /"ok":true/ },
    ],
    ["curl -F file=@report.pdf 'http://127.0.0.1:8080/_document?simulate=true'", { prints: /"content"/ }],
    ["curl -X DELETE 'http://127.0.0.1:8080/_document?filename=report.pdf'", { prints: /"ok":true/ }],
    [
      'curl -F file=@report.pdf -F file=@letter.docx http://127.0.0.1:8080/_document',
      { prints: /"files":\[.*report\.pdf.*letter\.docx/ },
    ],
    ["curl 'http://127.0.0.1:8080/_search?q=lighthouse&size=5'", { prints: /"total":2/ }],
    [
      "curl 'http://127.0.0.1:8080/_find?q=lighthouse&type=pdf&type=mail&modified_from=2024&sort=newest'",
      { prints: /"total":\d/ },
    ],
    ["curl 'http://127.0.0.1:8080/_find/facets?q=lighthouse&facets=type,folder,modified'", { prints: /"type":\[/ }],
    [
      "curl 'http://127.0.0.1:8080/_crawler/why?path=archive/report.pdf'",
      { before: servesFolder, prints: /"standing":"indexed"/ },
    ],
    ["curl 'http://127.0.0.1:8080/_crawler/failures?reason=encrypted&size=20'", { prints: /"failures":\[\]/ }],
    [`curl -d '{"reason":"encrypted"}' http://127.0.0.1:8080/_crawler/failures/retry`, { prints: /"queued":0/ }],
    // The service begins one by itself some seconds after its first scan: a reader may come just then.
    ['curl -X POST http://127.0.0.1:8080/_crawler/verify', { prints: /"ok":true|A check is running already/ }],
    ['curl http://127.0.0.1:8080/_crawler/verify', { prints: /"truth":/ }],
  ],
  'docs/search.md': [
    ['crawler search ./docs lighthouse', { before: hasFolder, prints: /1 document found\./ }],
    ["crawler search ./docs 'keeper type:pdf after:2024'", { prints: /Nothing found\./ }],
    [`crawler search ./docs '"annual report" -draft' --in reports --sort newest`, { prints: /Nothing found\./ }],
  ],
  'docs/security.md': [['crawler doctor ./docs', { before: hasFolder, prints: /^\w+ +sandbox +\S/m }]],
  'docs/service.md': [
    ['useradd --system --home-dir /var/lib/crawler --shell /usr/sbin/nologin crawler', { parsed: makesUser }],
    ['crawler generate systemd > /etc/systemd/system/crawler@.service', { parsed: systemd }],
    ['systemctl daemon-reload', { parsed: systemd }],
    ['mkdir -p /var/lib/crawler', { parsed: makesUser }],
    ['CRAWLER_CONFIG_DIR=/var/lib/crawler crawler docs --setup', { parsed: makesUser }],
    ['editor /var/lib/crawler/docs/_settings.yaml', { parsed: 'needs a person' }],
    ['chown -R crawler: /var/lib/crawler', { parsed: makesUser }],
    ['systemctl enable --now crawler@docs', { parsed: systemd }],
    ['journalctl -u crawler@docs -f', { parsed: systemd }],
    ['sudo -u crawler CRAWLER_CONFIG_DIR=/var/lib/crawler crawler doctor docs', { parsed: makesUser }],
    ['sudo -u crawler CRAWLER_CONFIG_DIR=/var/lib/crawler crawler failures docs', { parsed: makesUser }],
    ['cp packaging/systemd/crawler-backup@.* /etc/systemd/system/', { parsed: systemd }],
    ['systemctl daemon-reload', { parsed: systemd }],
    ['systemctl enable --now crawler-backup@docs.timer', { parsed: systemd }],
    ['echo "CRAWLER_KEY=$(openssl rand -hex 32)" > packaging/container/.env', { parsed: container }],
    ['docker compose -f packaging/container/compose.yaml up --detach', { parsed: container }],
    ['mkdir -p ~/Library/LaunchAgents', {}],
    [
      'crawler generate launchd docs > ~/Library/LaunchAgents/io.github.document-crawler.docs.plist',
      { before: hasJob('docs', 'docs') },
    ],
    [
      'launchctl bootstrap gui/$UID ~/Library/LaunchAgents/io.github.document-crawler.docs.plist',
      { parsed: 'needs macOS' },
    ],
    ['crawler generate winsw docs > crawler-docs.xml', {}],
    ['copy WinSW-x64.exe crawler-docs.exe', { parsed: 'needs Windows' }],
    ['crawler-docs.exe install', { parsed: 'needs Windows' }],
    ['crawler-docs.exe start', { parsed: 'needs Windows' }],
    ['systemctl disable --now crawler@docs', { parsed: systemd }],
    ['rm /etc/systemd/system/crawler@.service /etc/systemd/system/crawler-backup@.*', { parsed: systemd }],
    ['systemctl daemon-reload', { parsed: systemd }],
    ['rm -r /var/lib/crawler /var/log/crawler /etc/crawler', { parsed: makesUser }],
    ['userdel crawler', { parsed: makesUser }],
  ],
  'docs/sources/ftp.md': [
    ['FTP_PASSWORD=… crawler ftp_share', { before: hasSettingsOf('docs/sources/ftp.md'), until: remote }],
    [
      `curl -X POST -H 'Content-Type: application/json' -d '{"type": "ftp", "ftp": {"path": "/public/report.pdf", "hostname": "files.example.com", "username": "crawler", "password": "…"}}' http://127.0.0.1:8080/_document`,
      { before: hasService(), prints: refused },
    ],
  ],
  'docs/sources/http.md': [
    [
      'crawler inbox --loop 0 --rest',
      { before: hasSettingsOf('docs/sources/http.md'), until: /Rest service started on/, keeps: true },
    ],
    [
      `curl -X POST -H 'Content-Type: application/json' -d '{"type": "http", "http": {"url": "https://intranet.example.com/report.pdf"}}' http://127.0.0.1:8080/_document`,
      { prints: refused },
    ],
  ],
  'docs/sources/local.md': [
    [
      `curl -X POST -H 'Content-Type: application/json' -d '{"type": "local", "local": {"url": "/srv/documents/report.pdf"}}' http://127.0.0.1:8080/_document`,
      { before: hasService(), prints: refused },
    ],
  ],
  'docs/sources/s3.md': [
    [
      `curl -X POST -H 'Content-Type: application/json' -d '{"type": "s3", "s3": {"url": "https://s3.example.com", "bucket": "documents", "object": "reports/2025/a.pdf", "access_key": "…", "secret_key": "…"}}' http://127.0.0.1:8080/_document`,
      { before: hasService(), prints: refused },
    ],
  ],
  'docs/sources/ssh.md': [
    [
      `curl -X POST -H 'Content-Type: application/json' -d '{"type": "ssh", "ssh": {"path": "/srv/documents/report.pdf", "hostname": "files.example.com", "username": "crawler", "pem_path": "/home/me/.ssh/id_ed25519"}}' http://127.0.0.1:8080/_document`,
      { before: hasService(), prints: refused },
    ],
  ],
  'docs/sources/webdav.md': [
    ['WEBDAV_PASSWORD=… crawler cloud', { before: hasSettingsOf('docs/sources/webdav.md'), until: remote }],
    [
      `curl -X POST -H 'Content-Type: application/json' -d '{"type": "webdav", "webdav": {"path": "/report.pdf", "endpoint": "https://cloud.example.com/remote.php/dav/files/anna", "username": "anna", "password": "…"}}' http://127.0.0.1:8080/_document`,
      { before: hasService(), prints: refused },
    ],
  ],
  'docs/tika.md': [
    [
      'java -jar tika-server-standard-3.3.2.jar --host 127.0.0.1 --port 9998',
      { parsed: 'a Tika server is started by test/full/tika' },
    ],
  ],
  'docs/trust.md': [
    [
      'crawler why ~/docs/drafts/offer.docx',
      {
        before: async (reader) => {
          mkdirSync(reader.path('docs/drafts'), { recursive: true });
          reader.writes('docs/drafts/offer.docx');
          reader.writes('docs/contracts/a.txt');
          reader.writes('docs/contracts/~lock');
          reader.writes('docs/report.pdf', '%PDF-1.4\nnot a PDF');
          await hasRun('docs', 'docs', "  excludes: ['/drafts/*', '*/~*']\n")(reader);
        },
        code: 1,
        prints: /not indexed: left out \(excluded\)[\s\S]*fs\.excludes, _settings\.yaml:4/,
      },
    ],
    ['crawler why ~/docs/report.pdf', { prints: /^indexed/m }],
    ['crawler why ~/docs/contracts', { prints: /Files in it and below: 1 indexed, 1 left out by rules/ }],
    ['crawler verify docs', { prints: /agree/ }],
    ['crawler failures docs', { prints: /1 {2}corrupt {2}pdf 1[\s\S]*report\.pdf/ }],
    ['crawler plan ./docs', { prints: /By type:[\s\S]*Nothing was written\./ }],
    ['crawler doctor docs', { prints: /fs\.url = .*\/docs +\(_settings\.yaml:3\)/ }],
  ],
};
