// Rspamd with a configuration of its own: one worker on loopback, a name server that knows the given zone, no lists, no
// Redis.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { daemonDirectory, findProgram, freePorts, isRoot, startDaemon } from './daemon.ts';
import { startUdpDns, type Zone } from './udp-dns.ts';

const program = findProgram('rspamd');

/** Why tests with Rspamd cannot run here; undefined when they can. */
export const rspamdAbsence = program ? undefined : 'rspamd is not installed';

export interface RspamdDaemon {
  url: string;
  close(): Promise<void>;
}

/** Modules that ask the world. */
const SILENT = [
  'fuzzy_check',
  'asn',
  'phishing',
  'rbl',
  'surbl',
  'neural',
  'bimi',
  'url_redirector',
  'antivirus',
  'rspamd_update',
];

/** Ready in about a second. */
export async function startRspamd(zone: Zone = {}): Promise<RspamdDaemon> {
  const dns = await startUdpDns(zone);
  const directory = await daemonDirectory('rspamd');
  const [port] = (await freePorts(1)) as [number];
  // The full list of public suffixes takes 7 s to compile, every time in a fresh directory.
  await writeFile(join(directory.path, 'suffixes'), 'com\norg\nnet\nexample\ntest\nde\nuk\nco.uk\n');
  await writeFile(join(directory.path, 'rspamd.conf'), configuration(directory.path, { port, dnsPort: dns.port }));
  const variables = ['DBDIR', 'RUNDIR', 'LOGDIR', 'LOCAL_CONFDIR'].map((name) => `--var=${name}=${directory.path}`);
  const user = isRoot ? ['-u', 'nobody', '-g', 'nogroup'] : [];
  const daemon = await startDaemon({
    command: program as string,
    args: ['-f', '-c', join(directory.path, 'rspamd.conf'), ...variables, ...user],
    port,
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await daemon.close();
      await dns.close();
      await directory.remove();
    },
  };
}

/** Of an option that is given twice, the first counts: ours stand before the included ones. */
function configuration(path: string, { port, dnsPort }: { port: number; dnsPort: number }): string {
  return `${SILENT.map((name) => `${name} { enabled = false; }`).join('\n')}
.include "$CONFDIR/common.conf"
options {
  url_tld = "${path}/suffixes";
  tempdir = "${path}";
  control_socket = "${path}/control.sock mode=0600";
  disable_monitoring = true;
  pidfile = "${path}/rspamd.pid";
  dns { timeout = 1s; sockets = 2; retransmits = 2; nameserver = ["127.0.0.1:${dnsPort}:1"]; }
  .include "$CONFDIR/options.inc"
}
logging { type = "console"; level = "warning"; color = false; }
worker "normal" { bind_socket = "127.0.0.1:${port}"; count = 1; mime = true; task_timeout = 8s; }
`;
}
