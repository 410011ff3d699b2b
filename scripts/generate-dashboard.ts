// What the dashboard lists of the service, which it cannot import: written into a file of its own.
import type { GateRules } from '../src/engines/gate/index.ts';

/** `html_bytes_max` → `htmlKb`: what the form keeps it under. */
function fieldOf(limit: string): string {
  const words = limit.replace(/_(max|min)$/, '').replace(/_bytes$/, '_kb');
  return words.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The limits that the form of a gate has a field for; sizes are in kilobytes there. */
function limitsOf({ limits }: Pick<GateRules, 'limits'>): object[] {
  return limits.flatMap(({ name, label, of }) => {
    const unit = name.endsWith('_bytes_max') ? 1000 : 1;
    return label === undefined ? [] : [{ name, field: fieldOf(name), label, unit, max: 'names' in of ? 100 : 1e6 }];
  });
}

/** A module of TypeScript. */
export function dashboardLists({ note, rules }: { note: string; rules: GateRules }): string {
  const list = (name: string, items: object[]): string =>
    `export const ${name} = [\n${items.map((item) => `  ${JSON.stringify(item)},\n`).join('')}] as const;\n`;
  return `// ${note}\n\n/** Limits that the form of a gate has a field for; \`unit\` is what one there stands for. */\n${list('GATE_LIMITS', limitsOf(rules))}`;
}
