// Pebble, the authority for tests by the people of Let's Encrypt.
import { writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { makeCertificate } from './certificate.ts';
import { daemonDirectory, findProgram, freePorts, startDaemon } from './daemon.ts';
import { startUdpDns } from './udp-dns.ts';

const program = findProgram('pebble');

/** Why tests with Pebble cannot run here; undefined when they can. */
export const pebbleAbsence = program ? undefined : 'pebble is not installed';

interface Pebble {
  directoryUrl: string;
  /** Of its own services, PEM; who asks has to trust it. */
  certificate: string;
  /** The certificate of its CA, PEM. */
  readCa(): Promise<string>;
  /** Starts it: it looks for hosts at this port instead of port 80. */
  start(hostsPort: number): Promise<void>;
  close(): Promise<void>;
}

/** `hosts`: the names that it finds on loopback. */
export async function preparePebble(hosts: readonly string[]): Promise<Pebble> {
  const [port, managementPort] = (await freePorts(2)) as [number, number];
  const dns = await startUdpDns(Object.fromEntries(hosts.map((host) => [`${host} A`, ['127.0.0.1']])));
  const directory = await daemonDirectory('pebble');
  const { key, cert } = makeCertificate({ commonName: '127.0.0.1' });
  const pathOf = (name: string): string => join(directory.path, name);
  let daemon: Awaited<ReturnType<typeof startDaemon>> | undefined;

  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    certificate: cert,
    readCa: () =>
      new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port: managementPort, path: '/roots/0', ca: cert }, (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          answer.on('end', () => resolve(text));
        }).on('error', reject);
      }),
    async start(hostsPort) {
      await writeFile(pathOf('key.pem'), key);
      await writeFile(pathOf('cert.pem'), cert);
      const pebble = {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: pathOf('cert.pem'),
        privateKey: pathOf('key.pem'),
        httpPort: hostsPort,
        tlsPort: 1,
      };
      await writeFile(pathOf('config.json'), JSON.stringify({ pebble }));
      const args = ['-strict', '-config', pathOf('config.json'), '-dnsserver', `127.0.0.1:${dns.port}`];
      daemon = await startDaemon({ command: program as string, args, port });
    },
    async close() {
      await daemon?.close();
      await dns.close();
      await directory.remove();
    },
  };
}
