// What the dashboard lists of the service, which it cannot import: written into a file of its own.
import { checkedKinds } from '../src/features/proof/_content-checking/index.ts';
import { rulesOf } from '../src/features/proof/gate/index.ts';
import { listsOf, type Feature } from '../src/platform/feature/index.ts';
import { RIGHTS } from '../src/platform/http/index.ts';
import type { Lists } from '../src/platform/ports/index.ts';

/** `html_bytes_max` → `htmlKb`: what the form keeps it under. */
function fieldOf(limit: string): string {
  const words = limit.replace(/_(max|min)$/, '').replace(/_bytes$/, '_kb');
  return words.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The limits that the form of a gate has a field for; sizes are in kilobytes there. */
function limitsOf(lists: Lists): object[] {
  return rulesOf({ lists }).limits.flatMap(({ name, label, of }) => {
    const unit = name.endsWith('_bytes_max') ? 1000 : 1;
    return label === undefined ? [] : [{ name, field: fieldOf(name), label, unit, max: 'names' in of ? 100 : 1e6 }];
  });
}

/** The checks of a test, by the fields that ask for them. */
function checksOf(lists: Lists): [field: string, check: object][] {
  return [...checkedKinds({ lists })].map(([field, { label, about, page = null, gate }]) => [
    field,
    { name: label, about, page, gate: gate?.check, groups: Object.keys(gate?.groups ?? {}) },
  ]);
}

/** The roles that may write, by the groups of endpoints of docs/roles.md. */
function writersOf(): string[] {
  return Object.entries(RIGHTS).map(([group, rights]) => {
    const roles = (['developer', 'support', 'basic'] as const).filter((role) => rights[role] === 'write');
    return `  ${group}: ${JSON.stringify(['admin', ...roles])},\n`;
  });
}

/** A module of TypeScript: what the dashboard lists with these features. */
export function dashboardLists(features: readonly Feature[], note: string): string {
  const lists = listsOf(features);
  const checks = checksOf(lists).map(([field, check]) => `  ${JSON.stringify(field)}: ${JSON.stringify(check)},\n`);
  const limits = limitsOf(lists).map((limit) => `  ${JSON.stringify(limit)},\n`);
  return [
    `// ${note}`,
    '',
    '/**',
    ' * The checks of a test: `page` is their own page below it, `gate` what gates call them, `groups` are the first parts',
    ' * of the names of their rules.',
    ' */',
    `export const CHECKS = {\n${checks.join('')}} as const;`,
    '',
    '/** Limits that the form of a gate has a field for; `unit` is what one there stands for. */',
    `export const GATE_LIMITS = [\n${limits.join('')}] as const;`,
    '',
    '/** The roles that may write, by groups of endpoints: docs/roles.md. */',
    `export const WRITERS = {\n${writersOf().join('')}} as const;`,
    '',
  ].join('\n');
}
