// Whether a version is ready, what to do first, and what changed since another version.
import { defaultAudience } from '../../../engines/code-analysis/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import { profileOf } from '../../proof/previews/index.ts';
import { causesOf, type Cause } from './causes.ts';
import { checklistOf, type Item, type Verdict } from './checklist.ts';
import { PATH } from './contract.ts';
import { listIgnores } from './ignores-store.ts';
import { CHANGES_MAX, IGNORES_MAX, REPAIRS_MAX, type CauseView } from './overview-contract.ts';
import { comparePictures, readResults, type Results } from './results.ts';
import { isOver } from './view.ts';
import { findVersion, type Version } from './versions-store.ts';

type Doors = Pick<Context, 'db' | 'blobs' | 'browser' | 'baseUrl' | 'lists' | 'principal' | 'clock'>;

/** What a repair is asked of; null: no program can. */
function repairOf({ kind, rule, testId }: Cause): CauseView['actions']['repair'] {
  if (kind === 'accessibility') return { method: 'POST', address: `/v1/inspect/accessibility/${testId}/fix` };
  if (/^images\/(?:bytes|total-bytes|pixels|retina|format|color-space|load-time)$/.test(rule))
    return { method: 'POST', address: `/v1/inspect/images/${testId}/optimize` };
  return null;
}

const TABS: Record<string, string> = { previews: 'previews', spam: 'spam' };

function causeView(cause: Cause, { version, pages, before }: Read): CauseView {
  const { testId, clientId, ...shown } = cause;
  const { emailId, number } = version;
  const page = pages.get(testId) ?? `/emails/${emailId}?tab=${TABS[cause.kind] ?? cause.kind}&version=${number}`;
  return {
    ...shown,
    share: Math.round(cause.share * 1000) / 1000,
    is_new: before?.kinds.has(cause.kind) ? !before.ids.has(cause.id) : null,
    actions: {
      show: clientId === null ? page : `${page}/client/${clientId}`,
      repair: repairOf(cause),
      ignore: { method: 'PUT', address: `${PATH}/${emailId}/ignores/${cause.id}` },
    },
  };
}

interface Read extends Results {
  version: Version;
  /** What counts, and what is ignored. */
  causes: Cause[];
  ignored: Cause[];
  /** Of the version before, the kinds that were tested, and what was found. */
  before: { kinds: Set<string>; ids: Set<string> } | undefined;
}

const testedKinds = ({ known }: Pick<Results, 'known'>): Set<string> =>
  new Set([...known].filter(([, { state }]) => state === 'complete').map(([kind]) => kind));

async function readVersion(ctx: Doors, version: Version): Promise<Read> {
  const { emailId, accountId, number } = version;
  const results = await readResults(ctx, version);
  const ignores = await listIgnores(ctx.db, version, IGNORES_MAX);
  const counted = new Set(ignores.filter((one) => !isOver(one, ctx.clock.now())).map(({ cause }) => cause));
  const all = causesOf(results.seen);
  const earlier = number > 1 ? await findVersion(ctx.db, { emailId, accountId }, number - 1) : undefined;
  const old = earlier && (await readResults(ctx, earlier));
  return {
    ...results,
    version,
    causes: all.filter(({ id }) => !counted.has(id)),
    ignored: all.filter(({ id }) => counted.has(id)),
    before: old && { kinds: testedKinds(old), ids: new Set(causesOf(old.seen).map(({ id }) => id)) },
  };
}

/** What is known of none is not ready; the first that is not ready decides. */
const verdictOf = (items: readonly Item[]): Verdict =>
  items.some(({ verdict }) => verdict === 'not_ready')
    ? 'not_ready'
    : items.some(({ verdict }) => verdict === 'unknown')
      ? 'unknown'
      : 'ready';

function summaryOf(items: readonly Item[]): string {
  const titlesOf = (wanted: Verdict): string[] =>
    items.filter(({ verdict }) => verdict === wanted).map(({ title }) => title.toLowerCase());
  const [open, unknown] = [titlesOf('not_ready'), titlesOf('unknown')];
  if (open.length + unknown.length === 0) return 'Ready: nothing that was looked at speaks against sending it.';
  const parts = [
    ...(open.length > 0 ? [`to repair: ${open.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`not known: ${unknown.join(', ')}`] : []),
  ];
  return `Not ready; ${parts.join('; ')}.`;
}

/** The view of an overview, and whether a test of it still runs. */
export async function overviewOf(ctx: Doors, version: Version) {
  const read = await readVersion(ctx, version);
  const { causes, ignored, known, darkClients, sender, before } = read;
  const items = checklistOf({ subject: version.subject, known, causes, darkClients, sender });
  const views = causes.map((cause) => causeView(cause, read));
  const countOf = (severity: Cause['severity']): number => causes.filter((one) => one.severity === severity).length;
  const view = {
    verdict: verdictOf(items),
    summary: summaryOf(items),
    audience: { id: defaultAudience.id, name: defaultAudience.name },
    checklist: items.map(({ measured, ...item }) => ({ ...item, measured_on: measured })),
    repairs: views.slice(0, REPAIRS_MAX),
    counts: {
      errors: countOf('error'),
      warnings: countOf('warning'),
      new: before && before.kinds.size > 0 ? views.filter(({ is_new: isNew }) => isNew === true).length : null,
      ignored: ignored.length,
    },
  };
  return { view, isOpen: [...known.values()].some(({ state }) => state === 'processing') };
}

interface Asked {
  kind?: string | undefined;
  severity?: Cause['severity'] | undefined;
  new?: boolean | undefined;
  ignored: boolean;
}

export async function causesOfVersion(ctx: Doors, version: Version, asked: Asked): Promise<CauseView[]> {
  const read = await readVersion(ctx, version);
  return (asked.ignored ? read.ignored : read.causes)
    .filter(({ kind, severity }) => (asked.kind ?? kind) === kind && (asked.severity ?? severity) === severity)
    .map((cause) => causeView(cause, read))
    .filter(({ is_new: isNew }) => asked.new === undefined || isNew === asked.new);
}

const WHY = {
  neither: 'Neither version has a finished test of this kind.',
  from: 'The older version has no finished test of this kind.',
  to: 'The newer version has no finished test of this kind.',
};

function changeView({ id, kind, rule, severity, message }: Cause) {
  return { id, kind, rule, severity, message };
}

/** What of the kinds that both were tested by is in one alone, and how much is in both. */
export async function comparisonOf(ctx: Doors, { from, to }: { from: Version; to: Version }) {
  const [old, current] = [await readResults(ctx, from), await readResults(ctx, to)];
  const [before, after] = [testedKinds(old), testedKinds(current)];
  const kinds = new Set([...old.known.keys(), ...current.known.keys()]);
  const both = new Set([...before].filter((kind) => after.has(kind)));
  const comparable = (results: Results): Cause[] => causesOf(results.seen).filter(({ kind }) => both.has(kind));
  const [was, is] = [comparable(old), comparable(current)];
  const [wasIds, isIds] = [new Set(was.map(({ id }) => id)), new Set(is.map(({ id }) => id))];
  const fixed = was.filter(({ id }) => !isIds.has(id));
  const added = is.filter(({ id }) => !wasIds.has(id));
  const tests = { before: old.known.get('previews')?.testId ?? '', after: current.known.get('previews')?.testId ?? '' };
  const pictures = both.has('previews') ? { ...tests, ...(await comparePictures(ctx, tests)) } : null;
  const count = pictures?.changed.length ?? 0;
  const shown = pictures ? `${count} ${count === 1 ? 'picture' : 'pictures'} changed` : 'pictures not compared';
  return {
    from: from.number,
    to: to.number,
    summary: both.size > 0 ? `${fixed.length} fixed, ${added.length} new, ${shown}` : 'no test of both can be compared',
    is_same_content: from.fingerprint === to.fingerprint,
    fixed_count: fixed.length,
    new_count: added.length,
    same_count: is.length - added.length,
    fixed: fixed.slice(0, CHANGES_MAX).map(changeView),
    new: added.slice(0, CHANGES_MAX).map(changeView),
    pictures: pictures && {
      ...pictures,
      changed: pictures.changed.map((client) => ({ client, name: profileOf(client).displayName })),
    },
    not_compared: [...kinds]
      .filter((kind) => !both.has(kind))
      .map((kind) => ({ kind, reason: WHY[before.has(kind) ? 'to' : after.has(kind) ? 'from' : 'neither'] })),
  };
}
