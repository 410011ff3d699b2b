import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Sideways } from '../../../ground/shell/sideways.tsx';
import { figure } from '../../../ground/words.ts';
import { Chip } from '../../../shared/mail/test-state.tsx';
import tables from '../../../shared/send/send.module.css';
import type { Asset, Blocklist } from './blocklists-api.ts';
import classes from './blocklists.module.css';

/** More columns are scrolled to. */
const COLUMN_PX = 104;

/** Lists that say something of an asset, those that hold most first. */
export function tellingLists(assets: readonly Asset[], catalog: readonly Blocklist[]): Blocklist[] {
  const told = new Map<string, number>();
  const count = (zone: string, weight: number): void => void told.set(zone, (told.get(zone) ?? 0) + weight);
  for (const { listed, suspected, allowed } of assets) {
    for (const { list } of listed) count(list, 1000);
    for (const { list } of catalog.filter(({ name }) => suspected.includes(name))) count(list, 10);
    for (const zone of Object.keys(allowed)) count(zone, 1);
  }
  return catalog.filter(({ list }) => told.has(list)).toSorted((a, b) => told.get(b.list)! - told.get(a.list)!);
}

function Cell({ asset, list }: { asset: Asset; list: Blocklist }) {
  if (asset.listed.some((listing) => listing.list === list.list)) return <Chip tone="bad">listed</Chip>;
  if (asset.suspected.includes(list.name)) return <Chip tone="doubt">seen once</Chip>;
  if (asset.allowed[list.list] !== undefined) return <Chip tone="good">in good standing</Chip>;
  if (asset.unknown[list.list] !== undefined) return <span title={asset.unknown[list.list]}>no answer</span>;
  const isAsked = list.kinds.includes(asset.kind) && asset.checked_at !== null;
  return (
    <span className={classes.nothing}>
      <span aria-hidden="true">{isAsked ? '–' : ''}</span>
      <VisuallyHidden>{isAsked ? 'not listed' : 'not asked'}</VisuallyHidden>
    </span>
  );
}

/** An asset's state in words. */
export function AssetState({ asset }: { asset: Asset }) {
  const { state, suspected, listed } = asset;
  if (state === 'listed') return <Chip tone="bad">on {figure(listed.length)}</Chip>;
  if (state === 'unchecked') return <Chip>not asked yet</Chip>;
  return suspected.length > 0 ? <Chip tone="doubt">in doubt</Chip> : <Chip tone="good">on none</Chip>;
}

/** Assets by lists: only lists that say something have a column. */
export function Grid({ assets, lists }: { assets: readonly Asset[]; lists: readonly Blocklist[] }) {
  return (
    <Sideways label="Assets and lists" minWidth={470 + lists.length * COLUMN_PX}>
      <table className={`${tables.table} ${classes.grid}`}>
        <thead>
          <tr>
            <th scope="col">Asset</th>
            <th scope="col">Lists</th>
            {lists.map(({ list, name }) => (
              <th key={list} scope="col" title={list}>
                {name}
              </th>
            ))}
            <th scope="col">Not on</th>
            <th scope="col">No answer</th>
          </tr>
        </thead>
        <tbody>
          {assets.map((asset) => (
            <tr key={`${asset.kind} ${asset.domain} ${asset.asset}`}>
              <th scope="row">
                <Link to="/blocklists" search={{ asset: asset.asset }}>
                  <bdi>{asset.asset}</bdi>
                </Link>
              </th>
              <td>
                <AssetState asset={asset} />
              </td>
              {lists.map((list) => (
                <td key={list.list}>
                  <Cell asset={asset} list={list} />
                </td>
              ))}
              <td className={tables.number}>{figure(asset.clean)}</td>
              <td className={tables.number}>{figure(Object.keys(asset.unknown).length)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}
