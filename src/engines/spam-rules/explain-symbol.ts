import { SYMBOLS } from './symbols.ts';

export interface SymbolAdvice {
  /** What the rule looks at, one sentence. */
  meaning: string;
  /** What to do; null when there is nothing to do. */
  fix: string | null;
}

interface Table {
  exact: Map<string, SymbolAdvice>;
  /** Longest first, so that the nearest family answers. */
  starts: [string, SymbolAdvice][];
  ends: [string, SymbolAdvice][];
}

let table: Table | undefined;

function readTable(): Table {
  const read: Table = { exact: new Map(), starts: [], ends: [] };
  for (const [names, advice] of Object.entries(SYMBOLS)) {
    for (const name of names.split(' ')) {
      if (name.startsWith('*')) read.ends.push([name.replaceAll('*', ''), advice]);
      else if (name.endsWith('*')) read.starts.push([name.slice(0, -1), advice]);
      else read.exact.set(name, advice);
    }
  }
  read.starts.sort(([a], [b]) => b.length - a.length);
  return read;
}

/** What a rule of SpamAssassin or Rspamd means and what to do about it; undefined for names that aren't known here. */
export function explainSymbol(name: string): SymbolAdvice | undefined {
  table ??= readTable();
  const plain = name.replace(/^T_(?=(?:HTML|MIME|SPF|TVD))/, (start) => (table!.exact.has(name) ? start : ''));
  return (
    table.exact.get(name) ??
    table.exact.get(plain) ??
    table.starts.find(([start]) => name.startsWith(start))?.[1] ??
    table.ends.find(([end]) => name.includes(end))?.[1]
  );
}
