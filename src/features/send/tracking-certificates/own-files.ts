// The operator's own certificates.
import { readCertificateFolder, type FileCertificate } from '../../../platform/certificates/index.ts';
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';

type Doors = Pick<Outside, 'config' | 'clock' | 'log'>;

const KNOWN_MS = 600_000;

const read = new WeakMap<Doors['config'], { until: number; files: Promise<FileCertificate[]> }>();

/** Throws a sentence where the folder of the settings cannot be read. */
export async function listOwnCertificates({ config, clock, log }: Doors): Promise<FileCertificate[]> {
  const folder = config.trackingTls.certificatesDir;
  if (folder === undefined) return [];
  const now = clock.now().getTime();
  const known = read.get(config);
  if (known && known.until > now) return known.files;
  const files = readCertificateFolder(folder, log).catch((error: unknown) => {
    read.delete(config);
    throw new Error(`GALLEY_TRACKING_CERTIFICATES names ${folder}, which cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  });
  read.set(config, { until: now + KNOWN_MS, files });
  return files;
}

/** The one for a host that is valid longest; undefined where none is valid now. */
export async function findOwnCertificate(outside: Doors, host: string): Promise<FileCertificate | undefined> {
  const now = outside.clock.now();
  const [first] = (await listOwnCertificates(outside))
    .filter(
      ({ certificate }) =>
        certificate.checkHost(host) !== undefined && certificate.validFromDate <= now && certificate.validToDate > now,
    )
    .toSorted((one, other) => other.certificate.validToDate.getTime() - one.certificate.validToDate.getTime());
  return first;
}
