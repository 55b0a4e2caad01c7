import { xml } from './launchd-agent.js';
import { RESTART_SECONDS, STOP_SECONDS, wordsOf, type ServiceCommand } from './service.js';

/**
 * A description for WinSW 2 or 3, the wrapper that makes a program a service of Windows. It sends CTRL+C and waits, where
 * others end the program.
 */
export function winswService(command: ServiceCommand): string {
  const id = command.job === undefined ? 'crawler' : `crawler-${command.job.replace(/[^\w-]+/g, '-')}`;
  const [program = '', ...args] = wordsOf(command);
  const name = `Document crawler${command.job === undefined ? '' : `, job ${command.job}`}`;
  return `<!-- Put it beside WinSW.exe, both renamed to ${id}.xml and ${id}.exe, and run
     ${id}.exe install
     ${id}.exe start -->
<service>
  <id>${id}</id>
  <name>${xml(name)}</name>
  <description>Keeps a search index in sync with a tree of documents.</description>
  <executable>${xml(program)}</executable>
  <arguments>${xml(args.map(windowsWord).join(' '))}</arguments>
  <!-- The service has no home folder of a person. -->
  <env name="CRAWLER_CONFIG_DIR" value="%ProgramData%\\crawler" />
  <startmode>Automatic</startmode>
  <delayedAutoStart>true</delayedAutoStart>
  <stoptimeout>${STOP_SECONDS}sec</stoptimeout>
  <onfailure action="restart" delay="${RESTART_SECONDS} sec" />
  <resetfailure>1 hour</resetfailure>
  <priority>BelowNormal</priority>
  <logpath>%ProgramData%\\crawler\\logs</logpath>
  <log mode="roll-by-size">
    <sizeThreshold>10240</sizeThreshold>
    <keepFiles>4</keepFiles>
  </log>
</service>
`;
}

/** As the C runtime takes a command line apart. */
function windowsWord(word: string): string {
  return /^[^\s"]+$/.test(word)
    ? word
    : `"${word.replace(/(\\*)("|$)/g, (_, slashes: string, quote: string) => slashes + slashes + (quote === '' ? '' : '\\"'))}"`;
}
