// What `galley dev` does when its command line can be read.
import { mkdtemp, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { listsOf } from '../../../platform/feature/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import { FEATURES } from '../../features.ts';
import { openDoors } from '../check/doors.ts';
import { findEmails, isWatchedName, listEmails } from '../check/find-emails.ts';
import { POLICY_FILE, readPolicyFile } from '../check/run-check.ts';
import { watchFiles } from '../check/watch-files.ts';
import type { DevOptions } from '../dev.ts';
import { exitCodeOfSignal } from '../interrupt.ts';
import { readMergeData } from '../merge-data.ts';
import { clientsOf } from '../preview/run-preview.ts';
import { tell } from '../tell.ts';
import { UsageError } from '../usage.ts';
import { findingsOf } from './findings-of.ts';
import { serveDev } from './serve.ts';
import { Workspace } from './workspace.ts';

/** One of each kind of client: what differs between them shows at each save, in a second or two. */
const ONE_OF_EACH =
  'gmail_chrome,ol2021,olnew_dm,applemail_26,iphone16_18,iphone16_18_dm,gmail_android_dm,outlook_ios,yahoo_chrome';

function clientIdsOf(given: string | undefined): string[] {
  return clientsOf(given === 'default' ? undefined : (given ?? ONE_OF_EACH));
}

/** Where a phone finds the page: this machine's addresses on its networks. */
function addressesOf(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host];
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return [
    '127.0.0.1',
    ...own.filter(({ family, internal }) => family === 'IPv4' && !internal).map((one) => one.address),
  ];
}

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Follows the files until a signal comes; answers it. */
async function follow(
  { sources }: DevOptions,
  { workspace, open, data }: { workspace: Workspace; open: () => ReadonlySet<string>; data: string | undefined },
): Promise<NodeJS.Signals> {
  const files = watchFiles();
  let stoppedBy: NodeJS.Signals = 'SIGINT';
  const stop = (signal: NodeJS.Signals): void => {
    stoppedBy = signal;
    files.close();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const asked = [...sources, POLICY_FILE, ...(data === undefined ? [] : [data])].map((path) => resolve(path));
  let searched: string[] = [];
  const watch = (): void =>
    files.set([...asked, ...workspace.files], {
      folders: [...new Set([...searched, ...workspace.folders].map((folder) => resolve(folder)))],
      isWanted: isWatchedName,
    });
  workspace.onFiles = watch;
  const look = async (): Promise<void> => {
    try {
      const found = await listEmails(sources, true);
      searched = found.folders;
      workspace.setSources(found.sources);
    } catch (error) {
      // A folder that cannot be read just now; the emails stay those from before.
      if (!(error instanceof UsageError)) throw error;
      tell(messageOf(error));
    }
    watch();
  };
  do {
    await look();
    workspace.changed(open());
  } while (await files.changed());
  return stoppedBy;
}

/** Returns the exit code; throws {@link UsageError}. */
export async function runDev(options: DevOptions): Promise<number> {
  const clientIds = clientIdsOf(options.clients);
  await readMergeData(options.dataPath);
  const { sources } = await findEmails(options.sources, { type: undefined, isMaking: true });
  const lists = listsOf(FEATURES);
  await readPolicyFile(undefined, lists);
  const folder = await mkdtemp(join(tmpdir(), 'galley-dev-'));
  const { outside, close } = await openDoors(lists);
  const data = () => readMergeData(options.dataPath);
  const workspace: Workspace = new Workspace({
    outside,
    clientIds,
    folder,
    data,
    findings: async (source, signal) => {
      const { policy } = await readPolicyFile(undefined, lists);
      return findingsOf(outside, source, { policy, data: await data(), signal });
    },
    onChange: (name) => server.tell(name),
  });
  const server = await serveDev(workspace, { ...options, folder });
  // Before anybody hears of the page.
  workspace.setSources(sources);
  process.stdout.write(
    `Emails of ${options.sources.join(', ')}, drawn and checked again at every save; Ctrl-C ends it.\n` +
      addressesOf(options.host)
        .map((address) => `  ${urlOf(address, server.port)}\n`)
        .join(''),
  );
  try {
    return exitCodeOfSignal(await follow(options, { workspace, open: server.open, data: options.dataPath }));
  } finally {
    await server.close();
    await workspace.close();
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
