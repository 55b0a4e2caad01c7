import { RESTART_SECONDS, shellWord, STOP_SECONDS, wordsOf, type ServiceCommand } from './service.js';

/** What the program never needs. */
const HARDENING = `NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=read-only
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
ProtectProc=invisible
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
`;

/**
 * A unit of systemd 247 or newer. Without a job it is a template: `crawler@<job>.service`.
 *
 * Not set on purpose: MemoryDenyWriteExecute (V8 writes the code that it executes), and ProcSubset=pid (the memory of the
 * machine is read from /proc). OOMPolicy=continue: a document that is too large for the memory costs its extraction process,
 * not the service.
 */
export function systemdUnit(command: ServiceCommand, isUserUnit: boolean): string {
  return isUserUnit ? userUnit(command) : systemUnit(command);
}

function systemUnit(command: ServiceCommand): string {
  const name = unitName(command);
  return `# ${name}, made by: ${generated('systemd', command)}
#
#   useradd --system --home-dir /var/lib/crawler --shell /usr/sbin/nologin crawler
#   crawler generate systemd${command.job === undefined ? '' : ` ${shellWord(command.job)}`} > ${shellWord(`/etc/systemd/system/${name}`)}
#   systemctl daemon-reload && systemctl enable --now ${command.job === undefined ? 'crawler@<job>' : shellWord(name)}
#
# The job is a folder in /var/lib/crawler. Its documents must be readable for the user crawler: by a group of theirs
# (SupplementaryGroups=), or all of them by AmbientCapabilities=CAP_DAC_READ_SEARCH together with
# CapabilityBoundingSet=CAP_DAC_READ_SEARCH. The latter reads every file of the machine: so does whoever takes over the service.

[Unit]
Description=Document crawler, job ${instance(command)}
Documentation=man:crawler(1)
After=network-online.target remote-fs.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
${service(command)}
User=crawler
Group=crawler
StateDirectory=crawler
StateDirectoryMode=0750
LogsDirectory=crawler
LogsDirectoryMode=0750
Environment=CRAWLER_CONFIG_DIR=/var/lib/crawler
# Each job has log files of its own.
Environment=${jobPathAssignment(`LOG_DIR=/var/log/crawler/`, command)}
# Passwords and keys: CRAWLER_ENGINE_API_KEY=…, readable for root only.
EnvironmentFile=-/etc/crawler/${command.job === undefined ? '%i' : escaped(command.job)}.env

LimitNOFILE=65536
UMask=0027
Nice=10
# Extraction processes x extractor.limits.memory, and 500 MB for the rest:
#MemoryMax=3G
# Folders of documents that nothing else in the unit may write to:
#ReadOnlyPaths=/srv/documents
# fs.watch needs one watch of the host for each folder: sysctl fs.inotify.max_user_watches

${HARDENING}
[Install]
WantedBy=multi-user.target
`;
}

/** A manager of one user cannot take away what that user may do; the limits that it can set are the same. */
function userUnit(command: ServiceCommand): string {
  const name = unitName(command);
  return `# ${name}, made by: ${generated('systemd --user', command)}
#
#   crawler generate systemd --user${command.job === undefined ? '' : ` ${shellWord(command.job)}`} > ${shellWord(`~/.config/systemd/user/${name}`)}
#   systemctl --user daemon-reload && systemctl --user enable --now ${command.job === undefined ? 'crawler@<job>' : shellWord(name)}
#   loginctl enable-linger       # to run also while nobody is logged in
#
# The job is a folder in ~/.crawler.

[Unit]
Description=Document crawler, job ${instance(command)}
Documentation=man:crawler(1)
StartLimitIntervalSec=0

[Service]
${service(command)}
Environment=${jobPathAssignment(`LOG_DIR=%h/.crawler/logs/`, command)}
EnvironmentFile=-%h/.config/crawler/${command.job === undefined ? '%i' : escaped(command.job)}.env

LimitNOFILE=65536
UMask=0077
Nice=10
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native

[Install]
WantedBy=default.target
`;
}

function service(command: ServiceCommand): string {
  return `Type=exec
ExecStart=${execStart(command)}
Restart=on-failure
RestartSec=${RESTART_SECONDS}
# 2: the command line is wrong, and will be so the next time.
RestartPreventExitStatus=2
KillMode=mixed
TimeoutStopSec=${STOP_SECONDS}
OOMPolicy=continue`;
}

function execStart(command: ServiceCommand): string {
  const words = wordsOf(command).map(systemdWord);
  return [...words, ...(command.job === undefined ? ['%i'] : [])].join(' ');
}

function unitName({ job }: ServiceCommand): string {
  return job === undefined ? 'crawler@.service' : `crawler-${job.replace(/[^\w.-]+/g, '-')}.service`;
}

function instance({ job }: ServiceCommand): string {
  return job === undefined ? '%i' : escaped(job);
}

function generated(what: string, { job }: ServiceCommand): string {
  return `crawler generate ${what}${job === undefined ? '' : ` ${shellWord(job)}`}`;
}

/** An assignment whose value ends with the name of the job, quoted as a whole. */
function jobPathAssignment(start: string, command: ServiceCommand): string {
  const text = `${start}${instance(command)}`;
  return /^[\w/.:@%+=~-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Specifiers begin with %, variables with $. */
function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}

function systemdWord(word: string): string {
  const safe = escaped(word).replaceAll('$', '$$$$');
  return /^[\w/.:@%+~-]+$/.test(safe) ? safe : `"${safe.replace(/["\\]/g, '\\$&')}"`;
}
