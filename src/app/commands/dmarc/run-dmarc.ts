// What `galley dmarc` does when its command line can be read.
import { basename } from 'node:path';
import { nameAddresses, readReportFile, SENDERS_DATE } from '../../../engines/dmarc-reports/index.ts';
import { openDns } from '../../../platform/dns/index.ts';
import { hasNetwork } from '../../../platform/network/index.ts';
import type { DmarcOptions } from '../dmarc.ts';
import { readSettings } from '../settings.ts';
import { UsageError } from '../usage.ts';
import { findReports, readReportBytes } from './find-reports.ts';
import { Gatherer, ROWS_MAX, summarize, type Gathered } from './gather.ts';
import { printDmarc } from './print.ts';

/** Those that sent most are looked up. */
const ADDRESSES_MAX = 500;

/** Undefined: DNS is not to be asked, or there is none. */
async function hostsOf(
  { aggregates }: Gathered,
  isOffline: boolean,
): Promise<ReadonlyMap<string, string | null> | undefined> {
  const { dns } = readSettings();
  if (isOffline || (dns.servers.length === 0 && !(await hasNetwork()))) return undefined;
  const counts = new Map<string, number>();
  for (const { sourceIp, count } of aggregates.flatMap(({ rows }) => rows))
    counts.set(sourceIp, (counts.get(sourceIp) ?? 0) + count);
  const most = [...counts.entries()].sort(([, a], [, b]) => b - a).slice(0, ADDRESSES_MAX);
  const resolver = openDns(dns);
  return nameAddresses(
    (name, type) => resolver.resolve(name, type),
    most.map(([ip]) => ip),
  );
}

/** Reads the files and prints what they say. Returns the exit code; throws {@link UsageError}. */
export async function runDmarc(given: readonly string[], { offline, json }: DmarcOptions): Promise<number> {
  const files = await findReports(given);
  const gatherer = new Gatherer();
  for (const file of files) {
    const read = await readReportFile({
      name: files.length > 1 ? file : basename(file),
      bytes: await readReportBytes(file),
    });
    if (!gatherer.add(read))
      throw new UsageError(
        `The reports have more than ${ROWS_MAX} rows, the most that one run reads. Name fewer files.`,
      );
  }
  const { gathered } = gatherer;
  const { aggregates, tls, failures, refused, duplicates } = gathered;
  const hosts = await hostsOf(gathered, offline);
  const summaries = summarize(aggregates, hosts ?? new Map());
  process.stdout.write(
    json
      ? `${JSON.stringify(
          {
            domains: summaries,
            reports: aggregates,
            tls,
            failures,
            duplicates,
            refused,
            names_looked_up: hosts !== undefined,
            known_senders_of: SENDERS_DATE,
          },
          null,
          2,
        )}\n`
      : printDmarc(gathered, { summaries, isNamed: hosts !== undefined }),
  );
  if (aggregates.length + tls.length + failures.length === 0) return 2;
  return refused.length > 0 ? 1 : 0;
}
