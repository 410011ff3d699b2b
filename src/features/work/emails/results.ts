// What the newest tests of a version found.
import type { Context } from '../../../platform/feature/index.ts';
import { findInspections } from '../../proof/_inspections/index.ts';
import { getTest, listShots, pictureKey, profileOf, resultsOf, V2_WORDS } from '../../proof/previews/index.ts';
import { getSpamAnalysis } from '../../proof/spam-tests/index.ts';
import { readersOf, type Seen } from './causes.ts';
import type { Checked, Known } from './checklist.ts';
import { TESTS_MAX } from './tests-contract.ts';
import { testsOf } from './tests.ts';
import type { Version } from './versions-store.ts';

type Doors = Pick<Context, 'db' | 'blobs' | 'browser' | 'baseUrl' | 'lists' | 'principal'>;

export interface Results extends Pick<Checked, 'known' | 'darkClients' | 'sender'> {
  seen: Seen[];
  /** The page of each test in the dashboard, by its id. */
  pages: ReadonlyMap<string, string>;
}

/** What the pictures of a test show, with who reads in the clients that show it. */
async function seenInPictures(ctx: Doors, testId: string): Promise<{ seen: Seen[]; darkClients: number }> {
  const test = await getTest(ctx, testId);
  const results = await resultsOf(ctx, { test, words: V2_WORDS });
  const seen: Seen[] = [];
  let darkClients = 0;
  for (const [clientId, result] of Object.entries(results)) {
    const { support, displayName, colorScheme } = profileOf(clientId);
    const isDark = colorScheme === 'dark';
    if (isDark && result.findings_measured) darkClients += 1;
    for (const finding of result.findings)
      seen.push({
        kind: 'previews',
        testId,
        clientId,
        // In the dark it is another fault: it has other causes and other readers.
        finding: {
          ...finding,
          rule: isDark ? `${finding.rule}-dark` : finding.rule,
          clients: [displayName],
        },
        readers: support ? readersOf(support.family, support.platform) : new Map(),
      });
  }
  return { seen, darkClients };
}

/** Of the gate nothing is taken: it looks at what the other tests look at. */
const APART = ['gate', 'placement'];

/** The newest test of each kind counts, and a finished one before one that runs. */
export async function readResults(ctx: Doors, version: Version): Promise<Results> {
  const tests = (await testsOf(ctx, version)).slice(0, TESTS_MAX).filter(({ kind }) => !APART.includes(kind));
  const newest = [...Map.groupBy(tests, ({ kind }) => kind).values()].map(
    (same) => same.find(({ state }) => state === 'complete') ?? same[0]!,
  );
  const ids = newest.filter(({ kind }) => kind !== 'previews').map(({ id }) => id);
  const found = await findInspections(ctx.db, { accountId: version.accountId, ids }, { findings: true });
  const inspections = new Map(found.map((one) => [one.id, one]));
  const known = new Map<string, Known>();
  const seen: Seen[] = [];
  let darkClients = 0;
  let sender: Results['sender'];
  for (const { kind, id, state } of newest) {
    const inspection = inspections.get(id);
    known.set(kind, { state, testId: id, ...(inspection?.error && { error: inspection.error }) });
    if (state !== 'complete') continue;
    for (const finding of inspection?.findings ?? []) seen.push({ kind, testId: id, finding });
    if (kind === 'previews') {
      const pictures = await seenInPictures(ctx, id);
      seen.push(...pictures.seen);
      darkClients = pictures.darkClients;
    }
    if (kind === 'spam') {
      const analysis = await getSpamAnalysis(ctx, id);
      const dmarc = analysis?.authentication.find(({ method }) => method === 'dmarc')?.result;
      if (analysis) sender = { kind: analysis.sender.kind, dmarc };
    }
  }
  const pages = new Map(newest.flatMap(({ id, links }) => (links.page === null ? [] : [[id, links.page] as const])));
  return { seen, known, darkClients, sender, pages };
}

interface Pictures {
  testId: string;
  /** Finished pictures, by client and shot. */
  shots: Map<string, { clientId: string; key: string; bytes: number }>;
}

async function picturesOf({ db }: Doors, testId: string): Promise<Pictures> {
  const shots = new Map<string, { clientId: string; key: string; bytes: number }>();
  for (const { clientId, shot, key, picture } of await listShots(db, testId))
    if (picture) shots.set(`${clientId} ${shot}`, { clientId, key, bytes: picture.bytes });
  return { testId, shots };
}

interface ComparedPictures {
  /** Ids of clients whose pictures are other ones, byte by byte. */
  changed: string[];
  /** How many clients have pictures in both. */
  compared: number;
}

/** Compares the pictures of two preview tests; those of other sizes need not be read. */
export async function comparePictures(
  ctx: Doors,
  { before, after }: { before: string; after: string },
): Promise<ComparedPictures> {
  const [one, other] = [await picturesOf(ctx, before), await picturesOf(ctx, after)];
  const verdicts = new Map<string, boolean>();
  const changed = new Set<string>();
  const compared = new Set<string>();
  for (const [shot, picture] of other.shots) {
    const earlier = one.shots.get(shot);
    if (!earlier) continue;
    compared.add(picture.clientId);
    if (picture.bytes !== earlier.bytes) changed.add(picture.clientId);
    if (changed.has(picture.clientId)) continue;
    const pair = `${earlier.key} ${picture.key}`;
    if (!verdicts.has(pair)) {
      const [old, current] = await Promise.all([
        ctx.blobs.get(pictureKey(before, earlier.key, 'picture')),
        ctx.blobs.get(pictureKey(after, picture.key, 'picture')),
      ]);
      verdicts.set(pair, !!old && !!current && old.equals(current));
    }
    if (!verdicts.get(pair)) changed.add(picture.clientId);
  }
  return { changed: [...changed].sort(), compared: compared.size };
}
