// The contact sheet: every picture of a message on one page that opens from disk.

export interface SheetEntry {
  clientId: string;
  title: string;
  family: string;
  shot: string;
  file: string;
  fidelity: string;
  engine: string;
  notes: string[];
  /** Features of the message that nobody tried in the client; null where that is not known. */
  undecided: string[] | null;
  findings?: { severity: string; message: string }[];
  rendering: { width: number; height: number; isCut: boolean; isWhole: boolean };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const STYLE = `:root{color-scheme:light dark;--ink:#1d1b18;--paper:#f6f4ef;--card:#fff;--line:#dcd7cc;--soft:#6d675c}
@media (prefers-color-scheme:dark){:root{--ink:#ece8df;--paper:#191816;--card:#23211e;--line:#3a3731;--soft:#a39c8e}}
*{box-sizing:border-box}body{margin:0;padding:32px;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{font:600 26px/1.2 Georgia,serif;margin:0 0 4px}p{margin:0 0 28px;color:var(--soft)}h2{font:600 15px/1.2 system-ui,sans-serif;margin:32px 0 12px;border-bottom:1px solid var(--line);padding-bottom:6px}
.grid{display:grid;gap:20px;grid-template-columns:repeat(auto-fill,minmax(220px,1fr))}figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:6px;overflow:hidden}
a{display:block;height:300px;overflow:hidden;background:#8883}img{width:100%;display:block}figcaption{padding:10px 12px;font-size:13px}small{display:block;color:var(--soft)}`;

/** Named on the sheet; the others are counted. */
const NAMED_MAX = 6;

function undecidedFact({ undecided }: SheetEntry): string[] {
  if (!undecided || undecided.length === 0) return [];
  const others = undecided.length > NAMED_MAX ? ` and ${undecided.length - NAMED_MAX} more` : '';
  return [`Not known in this client: ${undecided.slice(0, NAMED_MAX).join(', ')}${others}`];
}

function figure(entry: SheetEntry): string {
  const shot = entry.shot === 'default' ? '' : entry.shot === 'no_images' ? ' – images blocked' : ' – landscape';
  const { width, height, isCut, isWhole } = entry.rendering;
  const facts = [
    ...(isWhole ? [] : ['First screen: the rest is not drawn yet']),
    entry.fidelity,
    entry.engine,
    `${width} × ${height}${isWhole && isCut ? ', cut' : ''}`,
    ...undecidedFact(entry),
    ...entry.notes,
    ...(entry.findings ?? []).map(({ severity, message }) => `${severity === 'error' ? '✖' : '⚠'} ${message}`),
  ];
  return (
    `<figure><a href="${escape(entry.file)}"><img loading="lazy" ` +
    `src="${escape(entry.file)}" alt="${escape(entry.title + shot)}"></a><figcaption>` +
    `${escape(entry.title + shot)}` +
    `${facts.map((fact) => `<small>${escape(fact)}</small>`).join('')}</figcaption></figure>`
  );
}

/** How far an unfinished sheet is. */
interface Unfinished {
  /** Pictures that were asked for. */
  total: number;
  at: Date;
}

function stateOf(entries: readonly SheetEntry[], unfinished: Unfinished | undefined): string {
  if (!unfinished) return `${entries.length} pictures by Galley`;
  const whole = entries.filter(({ rendering }) => rendering.isWhole).length;
  const time = unfinished.at.toTimeString().slice(0, 8);
  return `At ${time}: ${whole} of ${unfinished.total} pictures, and ${entries.length - whole} first screens`;
}

/** A complete HTML page with the pictures grouped by family; one that is not finished loads itself again. */
export function contactSheet(subject: string, entries: readonly SheetEntry[], unfinished?: Unfinished): string {
  const families = [...Map.groupBy(entries, (entry) => entry.family)];
  const sections = families.map(
    ([family, own]) => `<h2>${escape(family)}</h2><div class="grid">${own.map(figure).join('\n')}</div>`,
  );
  return (
    '<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><meta name="viewport" ' +
    `content="width=device-width">${unfinished ? '<meta http-equiv="refresh" content="1">' : ''}` +
    `<title>${escape(subject)}</title><style>${STYLE}</style></head><body><h1>` +
    `${escape(subject)}</h1><p>${stateOf(entries, unfinished)}</p>${sections.join('\n')}</body></html>\n`
  );
}
