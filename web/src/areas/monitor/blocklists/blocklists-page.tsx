import { Alert, Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { ask, tell } from '../../../ground/shell/ask.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { Ago } from '../../../ground/shell/when.tsx';
import { count, figure } from '../../../ground/words.ts';
import tables from '../../../shared/send/send.module.css';
import {
  ASSETS_MAX,
  assetsQuery,
  byUrgency,
  catalogQuery,
  changesQuery,
  checkNow,
  everything,
  unwatchAsset,
  type Asset,
} from './blocklists-api.ts';
import classes from './blocklists.module.css';
import { CatalogTable } from './catalog-table.tsx';
import { AssetState, Grid, tellingLists } from './grid.tsx';
import { ListingCard } from './listing-card.tsx';
import { Month } from './month.tsx';
import { Unverified, WatchForm } from './watch-form.tsx';

const ROWS_MAX = 100;
const CARDS_MAX = 30;

function CheckButton() {
  const queries = useQueryClient();
  const check = useMutation({
    mutationFn: checkNow,
    onSuccess: ({ message }) => (tell({ message }), queries.invalidateQueries(everything)),
    onError: (error) => tell({ color: 'red', title: 'The lists were not asked', message: sentenceOf(error) }),
  });
  return (
    <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
      Ask the lists now
    </Button>
  );
}

function Listings({ assets }: { assets: readonly Asset[] }) {
  const all = assets.flatMap((asset) => asset.listed.map((listing) => ({ asset, listing })));
  if (all.length === 0) return null;
  return (
    <section aria-label="Listings">
      <h2 className={tables.part}>{count(all.length, 'listing')}</h2>
      <div className={classes.listings}>
        {all.slice(0, CARDS_MAX).map(({ asset, listing }) => (
          <ListingCard key={listing.id} asset={asset.asset} listing={listing} />
        ))}
      </div>
      {all.length > CARDS_MAX && (
        <p className={classes.text}>{figure(all.length - CARDS_MAX)} more: open an asset to see those of it.</p>
      )}
    </section>
  );
}

function Unwatch({ asset }: { asset: Asset }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    try {
      await unwatchAsset(asset);
      await navigate({ to: '/blocklists' });
    } catch (error) {
      tell({ color: 'red', title: 'It is watched still', message: sentenceOf(error) });
    }
    await queries.invalidateQueries(everything);
  };
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={() =>
        ask({
          title: `Stop watching ${asset.asset}?`,
          text: 'Its listings and the notes on them are deleted. What happened stays in the history.',
          confirm: 'Stop watching',
          onConfirm: () => void remove(),
        })
      }
    >
      Stop watching
    </Button>
  );
}

/** One asset: its state, and which lists gave no answer. */
function AssetHead({ asset, canWrite }: { asset: Asset; canWrite: boolean }) {
  const silent = Object.entries(asset.unknown);
  return (
    <section aria-label={asset.asset} className={classes.assetHead}>
      <h2 className={tables.part}>
        <bdi>{asset.asset}</bdi> <AssetState asset={asset} />
      </h2>
      <p className={classes.text}>
        {asset.checked_at === null ? 'The lists were not asked yet.' : <Ago at={new Date(asset.checked_at)} />}
        {asset.checked_at !== null && `: ${count(asset.clean, 'list')} answered that it is not on them.`}
        {asset.suspected.length > 0 &&
          ` Seen once on ${asset.suspected.join(', ')}: it is told when a second look agrees.`}
      </p>
      {silent.length > 0 && (
        <details className={classes.catalog}>
          <summary>{count(silent.length, 'list')} gave no answer that counts</summary>
          <ul className={classes.comments}>
            {silent.map(([zone, why]) => (
              <li key={zone}>
                <bdi>{zone}</bdi>: {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div className={tables.actions}>
        <Button size="compact-sm" variant="default" renderRoot={(props) => <Link to="/blocklists" {...props} />}>
          All assets
        </Button>
        {canWrite && asset.kind !== 'email' && <Unwatch asset={asset} />}
      </div>
    </section>
  );
}

function Watched({ assets, chosen }: { assets: readonly Asset[]; chosen: string | undefined }) {
  const { canWrite } = useRole();
  const { data: catalog } = useQuery(catalogQuery);
  const { data: month, error } = useQuery(changesQuery);
  const one = chosen === undefined ? undefined : assets.find(({ asset }) => asset === chosen);
  const shown = one ? [one] : byUrgency(assets);
  const changes = month?.changes.filter(({ asset }) => chosen === undefined || asset === chosen) ?? [];
  return (
    <div className={classes.parts}>
      {chosen !== undefined && !one && (
        <Alert title={`${chosen} is not watched`}>
          What happened to it stands below. <Link to="/blocklists">All assets</Link>
        </Alert>
      )}
      {one && <AssetHead asset={one} canWrite={canWrite} />}
      {!one && chosen === undefined && (
        <section aria-label="Assets">
          <Grid assets={shown.slice(0, ROWS_MAX)} lists={tellingLists(assets, catalog?.items ?? [])} />
          <p className={classes.text}>
            Lists that hold none of them have no column. Every listing was seen twice, some minutes apart.
            {shown.length > ROWS_MAX && ` ${figure(shown.length - ROWS_MAX)} more are on fewer lists than these.`}
            {assets.length >= ASSETS_MAX && ` Only the first ${figure(ASSETS_MAX)} that were added are shown.`}
          </p>
        </section>
      )}
      {(one || chosen === undefined) && <Listings assets={shown} />}
      {error && (
        <Alert color="red" title="The history could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {month && <Month changes={changes} isBound={month.isBound} assets={chosen === undefined || one ? shown : []} />}
      {catalog && chosen === undefined && <CatalogTable lists={catalog.items} />}
    </div>
  );
}

/** Which lists hold the account's addresses and domains, what that means, and how to get off. */
export function BlocklistsPage() {
  const { asset: chosen } = useSearch({ from: '/shell/blocklists' });
  const { canWrite } = useRole();
  const { data: assets, error, isPending } = useQuery(assetsQuery);
  const { data: catalog } = useQuery(catalogQuery);
  return (
    <>
      <PageHead title="Blocklists" lead="Which lists hold your IP addresses and domains, and how to get off them.">
        {canWrite && assets && assets.length > 0 && <CheckButton />}
      </PageHead>
      {error && (
        <Alert color="red" mb="md" title="What is watched could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {catalog?.resolver.advice && (
        <Alert color="red" mb="md" title="Many lists refuse these name servers">
          {catalog.resolver.advice}
        </Alert>
      )}
      {canWrite && chosen === undefined && <WatchForm />}
      {chosen === undefined && <Unverified canWrite={canWrite} />}
      {isPending && <Skeleton height={300} />}
      {assets?.length === 0 && chosen === undefined && (
        <Notice title="Nothing is watched yet">
          An IP address is watched from the moment it is added, a domain once its TXT record is published.
        </Notice>
      )}
      {assets && (assets.length > 0 || chosen !== undefined) && <Watched assets={assets} chosen={chosen} />}
    </>
  );
}
