// One look at some assets, kept nowhere.
import type { Asset, AssetKind, Blocklist, Code, Verdict } from '../../../engines/blocklists/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { askAll, probe, probeAgain, reasonOf, type Probe } from './ask.ts';
import { askedLists } from './lists.ts';

interface Named {
  list: string;
  name: string;
}

/** What the lists say of one asset. */
export interface Looked {
  asset: Asset;
  listed: (Named & { codes: Code[]; reason: string | null; means: string; remove: string; page: string })[];
  allowed: (Named & { says: string })[];
  unknown: (Named & { why: string })[];
  /** Lists that answered that it is not on them. */
  clean: number;
}

type Doors = Pick<Outside, 'dns' | 'config'>;

async function listedBy(doors: Doors, list: Blocklist, { asset, codes }: { asset: Asset; codes: Code[] }) {
  const { zone, name, means = '', remove = '', page = '' } = list;
  return { list: zone, name, codes, reason: await reasonOf(doors, list, asset), means, remove, page };
}

/** Tests a list, once more when it is late: answers are lost on the way. */
async function probeTwice(doors: Doors, list: Blocklist, kind: AssetKind): Promise<Probe> {
  const first = await probe(doors, list, kind);
  return first.isLate ? probe(doors, list, kind) : first;
}

/** Tests each list, asks those that pass, and tests those that list something once more. */
export async function lookOnce(doors: Doors, assets: readonly Asset[]): Promise<Looked[]> {
  const looked = new Map(
    assets.map((asset) => [asset, { asset, listed: [], allowed: [], unknown: [], clean: 0 } as Looked]),
  );
  for (const [kind, same] of Map.groupBy(assets, (asset) => asset.kind)) {
    const lists = askedLists(doors).filter(({ kinds }) => kinds.includes(kind));
    const tested = await Promise.all(lists.map(async (list) => ({ list, ...(await probeTwice(doors, list, kind)) })));
    const hits: { list: Blocklist; asset: Asset; codes: Code[] }[] = [];
    const found = ({ zone, name }: Blocklist, asset: Asset, verdict: Verdict): void => {
      const one = looked.get(asset)!;
      if (verdict.state === 'clean') one.clean += 1;
      if (verdict.state === 'unknown') one.unknown.push({ list: zone, name, why: verdict.why });
      if (verdict.state === 'allowed')
        one.allowed.push({ list: zone, name, says: verdict.codes.map(({ meaning }) => meaning).join(', ') });
    };
    for (const { list, isLive, why } of tested)
      if (!isLive) for (const asset of same) found(list, asset, { state: 'unknown', why });
    const late: { list: Blocklist; asset: Asset }[] = [];
    const heard = (list: Blocklist, asset: Asset, verdict: Verdict): void => {
      if (verdict.state === 'listed') hits.push({ list, asset, codes: verdict.codes });
      else found(list, asset, verdict);
    };
    await askAll(
      doors,
      tested.filter(({ isLive }) => isLive).map(({ list }) => ({ list, assets: same })),
      {
        found(list, asset, verdict) {
          if (verdict.state === 'unknown' && verdict.isLate) late.push({ list, asset });
          else heard(list, asset, verdict);
        },
      },
    );
    const again = [...Map.groupBy(late, ({ list }) => list)];
    await askAll(
      doors,
      again.map(([list, ones]) => ({ list, assets: ones.map(({ asset }) => asset) })),
      { found: heard },
    );
    for (const [list, own] of Map.groupBy(hits, (hit) => hit.list)) {
      const { isLive, why } = await probeAgain(doors, list, kind);
      for (const hit of own)
        if (isLive) looked.get(hit.asset)!.listed.push(await listedBy(doors, list, hit));
        else found(list, hit.asset, { state: 'unknown', why });
    }
  }
  return [...looked.values()];
}
