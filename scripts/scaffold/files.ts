// Makes the files of a new resource from the templates in this folder.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Names } from './names.ts';

/** `<<many>>` in a template stands for that name. */
function filled(template: string, names: Names): string {
  const text = readFileSync(join(import.meta.dirname, 'templates', `${template}.txt`), 'utf8');
  return text.replaceAll(/<<(\w+)>>/g, (_, key: string) => {
    const name = (names as unknown as Record<string, string | undefined>)[key];
    if (name === undefined) throw new Error(`The template ${template} names ${key}, which a resource does not have.`);
    return name;
  });
}

/**
 * By path from the root: on the server a table, five endpoints and a test through the front door; in the dashboard a
 * page with a dialog. `now` gives the migration its number.
 */
export function filesOf(names: Names, now: Date): Map<string, string> {
  const { area, many, one, table } = names;
  const [feature, pages] = [`src/features/${area}/${many}`, `web/src/areas/${area}/${many}`];
  const number = now.toISOString().replaceAll('-', '').replace('T', '_').replaceAll(':', '').slice(0, 13);
  const templates = {
    'index.ts': `${feature}/index.ts`,
    'migration.sql': `${feature}/migrations/${number}_create_${table}.sql`,
    'contract.ts': `${feature}/contract.ts`,
    'store.ts': `${feature}/store.ts`,
    'routes.ts': `${feature}/routes.ts`,
    'test.ts': `${feature}/${many}.test.ts`,
    'pages.ts': `${pages}/pages.ts`,
    'page.tsx': `${pages}/${many}-page.tsx`,
    'dialog.tsx': `${pages}/new-${one}-dialog.tsx`,
  };
  return new Map(Object.entries(templates).map(([template, path]) => [path, filled(template, names)]));
}
