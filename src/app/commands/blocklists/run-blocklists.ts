// What `galley blocklists` does when its command line can be read.
import { readDomain, readEmail, readIp, type Asset } from '../../../engines/blocklists/index.ts';
import { lookOnce, resolverOf, type Looked } from '../../../features/monitor/blocklists/index.ts';
import { createDns } from '../../../platform/dns/index.ts';
import type { BlocklistOptions } from '../blocklists.ts';
import { readSettings } from '../settings.ts';
import { UsageError } from '../usage.ts';

function readAsset(text: string): Asset {
  const email = text.includes('@') ? readEmail(text) : undefined;
  if (email !== undefined) return { kind: 'email', name: email };
  const ip = readIp(text);
  if (ip) return ip;
  const domain = readDomain(text);
  if (domain !== undefined) return { kind: 'domain', name: domain };
  throw new UsageError(`"${text.slice(0, 100)}" is no public IP address, no domain and no email address.`);
}

const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? '' : 's'}`;

function pretty({ asset, listed, allowed, unknown, clean }: Looked, isAll: boolean): string {
  const asked = listed.length + clean;
  const head = `${asset.name}: on ${listed.length} of ${count(asked, 'list')} that answered`;
  const lines = listed.flatMap(({ name, list, codes, reason, means, remove, page }) => [
    `  LISTED  ${name} (${list}): ${codes.map(({ code, meaning }) => (meaning ? `${code}, ${meaning}` : code)).join('; ')}`,
    ...(reason ? [`          It says: ${reason}`] : []),
    ...(means ? [`          ${means}`] : []),
    ...(remove ? [`          How to get off: ${remove}`] : []),
    ...(page ? [`          ${page}`] : []),
  ]);
  const others = isAll
    ? [
        ...allowed.map(({ name, list, says }) => `  allowed ${name} (${list}): ${says}`),
        ...unknown.map(({ name, list, why }) => `  unknown ${name} (${list}): ${why}`),
      ]
    : unknown.length
      ? [`  ${count(unknown.length, 'list')} gave no answer that counts; --all says why.`]
      : [];
  return `${[head, ...lines, ...others].join('\n')}\n`;
}

const json = (looked: readonly Looked[], advice: string): string =>
  `${JSON.stringify({ advice, assets: looked.map(({ asset, ...rest }) => ({ asset: asset.name, kind: asset.kind, ...rest })) }, null, 2)}\n`;

/** Asks and prints. Returns the exit code; throws {@link UsageError}. */
export async function runBlocklists(
  texts: readonly string[],
  { all, json: isJson }: BlocklistOptions,
): Promise<number> {
  const config = readSettings();
  const assets = texts.map(readAsset);
  const { advice } = resolverOf({ config });
  if (advice) process.stderr.write(`${advice}\n`);
  const looked = await lookOnce({ config, dns: createDns(config.dns) }, assets);
  process.stdout.write(isJson ? json(looked, advice) : looked.map((one) => pretty(one, all)).join('\n'));
  if (looked.some(({ listed }) => listed.length > 0)) return 1;
  return looked.every(({ clean }) => clean > 0) ? 0 : 2;
}
