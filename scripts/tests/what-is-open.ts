// What keeps a Node process from ending, told by itself in a diagnostic report when it gets a signal:
// https://nodejs.org/api/report.html
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { kill, type LeftProcess } from './left-processes.ts';

type Endpoint = { host: string; port: number } | null | undefined;
interface Handle {
  type: string;
  is_active: boolean;
  is_referenced: boolean;
  firesInMsFromNow?: number;
  localEndpoint?: Endpoint;
  remoteEndpoint?: Endpoint;
  filename?: string;
}

const SIGNAL = 'SIGUSR2';
const WRITTEN_MS = 3000;

/** What makes a process write its report into a folder when it is asked. */
export const reportsInto = (directory: string): string[] => [
  '--report-on-signal',
  `--report-signal=${SIGNAL}`,
  `--report-directory=${directory}`,
  '--report-exclude-network',
];

const placeOf = (endpoint: Endpoint): string => (endpoint ? `${endpoint.host}:${endpoint.port}` : 'none');

function describe({ type, firesInMsFromNow, localEndpoint, remoteEndpoint, filename }: Handle): string {
  if (type === 'timer') return `timer (in ${Math.round((firesInMsFromNow ?? 0) / 1000)} s)`;
  if (type === 'tcp') return `${type} (${placeOf(localEndpoint)} to ${placeOf(remoteEndpoint)})`;
  return filename === undefined ? type : `${type} (${filename})`;
}

/**
 * Asks processes for what is open, such as `node (12): timer (in 60 s), tcp (127.0.0.1:1 to none); at run (a.js:1:1)`.
 * A process that was not started with `reportsInto` ends by the question.
 */
export async function askWhatIsOpen(processes: readonly LeftProcess[], directory: string): Promise<string> {
  kill(
    processes.filter(({ name }) => name === 'node'),
    SIGNAL,
  );
  await pause(WRITTEN_MS);
  const reports = readdirSync(directory).filter((name) => /^report\..*\.json$/.test(name));
  const told = reports.map((name) => {
    try {
      const report = JSON.parse(readFileSync(join(directory, name), 'utf8'));
      const handles = (report.libuv as Handle[]).filter((handle) => handle.is_active && handle.is_referenced);
      const stack = (report.javascriptStack?.stack ?? []).slice(0, 5).join(' ');
      const open = handles.map(describe).join(', ') || 'no handle';
      return `node (${report.header.processId}): ${open}${stack && `; ${stack}`}`;
    } catch (error) {
      return `${name} cannot be read (${(error as Error).message})`;
    }
  });
  return told.join('; ');
}
