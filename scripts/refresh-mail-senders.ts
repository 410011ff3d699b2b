// Refreshes data/mail-senders from the map of reverse DNS names of parsedmarc:
//
//   node scripts/refresh-mail-senders.ts base_reverse_dns_map.csv
//
// The file is parsedmarc/resources/maps/base_reverse_dns_map.csv of github.com/domainaware/parsedmarc.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import papaparse from 'papaparse';

/** Who sends for others, or hosts what sends. The map has 39,000 names more, of firms that send for themselves. */
const TYPES = new Set(['Email Provider', 'Email Security', 'Marketing', 'SaaS', 'IaaS', 'PaaS', 'Social Media']);

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('Name the file base_reverse_dns_map.csv.');
const { data } = papaparse.parse<Record<string, string>>(readFileSync(path, 'utf8'), {
  header: true,
  skipEmptyLines: true,
});
const lines = data
  .map((row) => ({ domain: row['base_reverse_dns'] ?? '', name: row['name'] ?? '', type: row['type'] ?? '' }))
  .filter(({ domain, name, type }) => TYPES.has(type) && domain !== '' && name !== '')
  .sort((a, b) => (a.domain < b.domain ? -1 : 1))
  .map(({ domain, name, type }) => `  ${JSON.stringify([domain.toLowerCase(), name, type])}`);
writeFileSync(join(import.meta.dirname, '..', 'data', 'mail-senders', 'senders.json'), `[\n${lines.join(',\n')}\n]\n`);
