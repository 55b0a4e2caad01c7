import { STOP_SECONDS, RESTART_SECONDS, wordsOf, type ServiceCommand } from './service.js';

/** A property list for launchd of macOS: as an agent of one user in ~/Library/LaunchAgents. */
export function launchdAgent(command: ServiceCommand): string {
  const label = ['io.github.document-crawler', ...(command.job === undefined ? [] : [slug(command.job)])].join('.');
  const words = wordsOf(command).map((word) => `    <string>${xml(word)}</string>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Put it into ~/Library/LaunchAgents/${label}.plist, and run
     launchctl bootstrap gui/$UID ~/Library/LaunchAgents/${label}.plist
     Folders such as Documents and Desktop need the permission Full Disk Access for the program below. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${label}</string>
  <key>ProgramArguments</key>
  <array>
${words.join('\n')}
  </array>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>${RESTART_SECONDS}</integer>
  <key>ExitTimeOut</key>
  <integer>${STOP_SECONDS}</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>LowPriorityIO</key>
  <true/>
  <key>SoftResourceLimits</key>
  <dict>
    <key>NumberOfFiles</key>
    <integer>65536</integer>
  </dict>
</dict>
</plist>
`;
}

/** In a label and in the name of a file. */
function slug(job: string): string {
  return job.replace(/[^\w.-]+/g, '-');
}

export function xml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
