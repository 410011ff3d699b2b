// Refreshes data/address-lists from copies of two public lists:
//
//   node scripts/refresh-address-lists.ts disposable_email_blocklist.conf index.js
//
// The first file is that of github.com/disposable-email-domains/disposable-email-domains, the second is src/index.js of
// github.com/mixmaxhq/role-based-email-addresses.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [domainsPath, namesPath] = process.argv.slice(2);
if (domainsPath === undefined || namesPath === undefined)
  throw new Error('Name the files disposable_email_blocklist.conf and index.js.');

const folder = join(import.meta.dirname, '..', 'data', 'address-lists');

function write(file: string, entries: readonly string[]): void {
  const lines = [...new Set(entries.map((entry) => entry.trim().toLowerCase()))].filter((entry) => entry !== '');
  const rows = lines.toSorted().map((entry) => `  ${JSON.stringify(entry)}`);
  writeFileSync(join(folder, file), `[\n${rows.join(',\n')}\n]\n`);
}

write('disposable-domains.json', readFileSync(domainsPath, 'utf8').split('\n'));
// The names stand between apostrophes, one a line.
const names = readFileSync(namesPath, 'utf8').matchAll(/^\s*'([^']+)',?\s*$/gm);
write(
  'role-names.json',
  [...names].map(([, name = '']) => name),
);
