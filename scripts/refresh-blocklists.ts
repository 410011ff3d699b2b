// Compares `data/blocklists/lists.json` with newer copies of two of its sources: what they no longer name is looked at
// by hand. Usage: node scripts/refresh-blocklists.ts <rbl.conf of Rspamd> <check_rbl.ini>
import { readFileSync } from 'node:fs';

const [rspamd, checkRbl] = process.argv.slice(2);
if (!rspamd || !checkRbl) throw new Error('Usage: node scripts/refresh-blocklists.ts <rbl.conf> <check_rbl.ini>');
const named: Record<string, Set<string>> = {
  rspamd: new Set([...readFileSync(rspamd, 'utf8').matchAll(/rbl = "([^"]+)"/g)].map(([, zone]) => zone as string)),
  check_rbl: new Set([...readFileSync(checkRbl, 'utf8').matchAll(/^server=(\S+)/gm)].map(([, zone]) => zone as string)),
};
const rows = JSON.parse(readFileSync(new URL('../data/blocklists/lists.json', import.meta.url), 'utf8')) as {
  zone: string;
  status: string;
  statusFrom: string;
}[];
for (const { zone, status, statusFrom } of rows) {
  const source = named[statusFrom];
  if (source && status !== 'closed' && !source.has(zone))
    process.stdout.write(`${statusFrom} no longer names ${zone}\n`);
}
