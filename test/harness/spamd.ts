// SpamAssassin's daemon with a configuration of its own: the rules that Debian ships, no network, no learning.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { daemonDirectory, findProgram, freePorts, isRoot, startDaemon } from './daemon.ts';

const program = findProgram('spamd');

/** Why tests with SpamAssassin cannot run here; undefined when they can. */
export const spamdAbsence = program ? undefined : 'spamd is not installed';

/** Plugins that need neither the network nor a database. */
const PLUGINS = [
  'AutoLearnThreshold',
  'WelcomeListSubject',
  'MIMEHeader',
  'ReplaceTags',
  'Check',
  'HTTPSMismatch',
  'URIDetail',
  'BodyEval',
  'HTMLEval',
  'HeaderEval',
  'MIMEEval',
  'RelayEval',
  'URIEval',
  'WLBLEval',
  'VBounce',
  'ImageInfo',
  'FreeMail',
  'DNSEval',
];

export interface SpamdDaemon {
  /** `host:port`. */
  address: string;
  close(): Promise<void>;
}

/** Ready in about a second. */
export async function startSpamd(): Promise<SpamdDaemon> {
  const directory = await daemonDirectory('spamd');
  const [port] = (await freePorts(1)) as [number];
  await writeFile(
    join(directory.path, 'init.pre'),
    PLUGINS.map((name) => `loadplugin Mail::SpamAssassin::Plugin::${name}\n`).join(''),
  );
  await writeFile(
    join(directory.path, 'local.cf'),
    'required_score 5\nuse_bayes 0\nskip_rbl_checks 1\ndns_available no\n',
  );
  const user = isRoot ? ['-u', 'nobody'] : [];
  const args = [
    '-L',
    '-x',
    '-4',
    '-i',
    `127.0.0.1:${port}`,
    '-m',
    '2',
    '--min-children=1',
    '--min-spare=1',
    '--max-spare=1',
    `--siteconfigpath=${directory.path}`,
    `--helper-home-dir=${directory.path}`,
    '-s',
    'stderr',
    ...user,
  ];
  const daemon = await startDaemon({ command: program as string, args, port });
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      await daemon.close();
      await directory.remove();
    },
  };
}
