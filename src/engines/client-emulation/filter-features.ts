// The filter: what the caniemail data says a client does not support is not in the document that the engine gets.

import { rulesFor, type Account, type SupportKey, type UndecidedCell } from '../caniemail/index.ts';
import { filterSheet, type CssFilter } from './feature-rules/filter-css.ts';
import { filterTree } from './feature-rules/filter-tree.ts';
import { memoryOf } from './parse-message.ts';
import { unmatchBody, wrapBody } from './plugins/message-scope.ts';
import type { ClientProfile, EmulateOptions } from './types.ts';
import { removeNode, type WorkingDocument } from './working-document.ts';

/**
 * Takes everything out of the document that the client does not support, the way the client would. Clients that the
 * data has no rows for are left as they are.
 */
export function applySupport(doc: WorkingDocument, client: ClientProfile, _options: EmulateOptions): void {
  const key = supportKeyOf(client);
  if (!key) return;
  const rules = rulesFor(key);
  const filter: CssFilter = { rules, memory: memoryOf(doc), written: new WeakSet() };
  filterTree(doc, filter);
  doc.styles = doc.styles.filter((style) => {
    const kept = filterSheet(filter, style.ast);
    if (!kept) removeNode(style.element);
    return kept;
  });
}

/**
 * Webmail shows a message inside a page of its own: its `<body>` is gone, or a `<div>` carries what it said, and
 * `body` in selectors matches nothing. Runs after the family plug-ins, and does what none of them has done.
 */
export function replaceBody(doc: WorkingDocument, client: ClientProfile): void {
  const key = supportKeyOf(client);
  const effects = key && rulesFor(key).document;
  const becomesDiv = effects?.has('body-to-div') ?? false;
  if (!becomesDiv && !effects?.has('drop-body')) return;
  unmatchBody(doc);
  if (doc.body.attrs.length) wrapBody(doc, [], becomesDiv ? 'div' : 'nothing');
}

/** What the data can't tell about a client, with the reason: for a reader who wonders how far to trust a picture. */
export function undecidedCells(client: ClientProfile): readonly UndecidedCell[] {
  const key = supportKeyOf(client);
  return key ? rulesFor(key).undecided : [];
}

/** How much of what the data knows about a client its pictures show. */
interface SupportCoverage {
  /** Features that the data has a row of for the client. */
  cells: number;
  /** Features that the emulation shows as the data describes. */
  decided: number;
  /** Oldest and newest test date among them, `YYYY-MM-DD`. */
  testedFrom: string;
  testedTo: string;
}

/** Undefined for clients that the data has no rows for. */
export function supportCoverage(client: ClientProfile): SupportCoverage | undefined {
  const key = supportKeyOf(client);
  const rules = key && rulesFor(key);
  if (!rules?.known.cells) return undefined;
  const undecided = rules.undecided.filter(({ hasRow }) => hasRow).length;
  return { ...rules.known, decided: rules.known.cells - undecided };
}

function supportKeyOf({ support }: ClientProfile): SupportKey | undefined {
  if (!support) return undefined;
  const { family, platform, version } = support;
  return { family, platform, version, account: support.account ?? ownAccount(family) };
}

function ownAccount(family: string): Account {
  if (family === 'gmail') return 'google';
  return family === 'outlook' ? 'microsoft' : 'other';
}
