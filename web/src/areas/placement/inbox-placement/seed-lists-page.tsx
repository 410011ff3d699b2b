import { Alert, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { sentenceOf } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { totalsInWords } from '../../../shared/mail/interval-line.tsx';
import { PER_PAGE, seedListsQuery, type SeedList } from '../../../shared/mail/mail-api.ts';
import mailClasses from '../../../shared/mail/mail.module.css';
import { countsOfStats, PlacementBar } from '../../../shared/mail/outcome.tsx';
import { Paging } from '../../../shared/mail/paging.tsx';
import { Chip } from '../../../shared/mail/test-state.tsx';
import reportClasses from '../../../shared/report/report.module.css';
import { laterPart } from '../../../ground/shell/later-part.tsx';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { When } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import { PlacementTabs } from './placement-tabs.tsx';
import classes from './placement.module.css';

const ListDialog = laterPart(async () => (await import('./list-dialog.tsx')).ListDialog);

/** How many seeds a list has; its own address stands among them and is none. */
export function seedsOf({
  mailing_list: addresses,
  target_email: own,
}: Pick<SeedList, 'mailing_list' | 'target_email'>): string[] {
  return addresses
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address && address !== own);
}

function Row({ list }: { list: SeedList }) {
  const totals = list.delivery_totals;
  const shown = totals.real.total > 0 ? totals.real : totals.simulated;
  return (
    <li className={mailClasses.row}>
      <Link to="/placement/lists/$address" params={{ address: list.target_email }} className={mailClasses.open}>
        <span>
          <span className={mailClasses.subject}>{list.name || list.target_email}</span>
          <span className={mailClasses.facts}>
            <span>{count(seedsOf(list).length, 'seed')}</span>
            <span>
              {list.provider_filter?.length ? count(list.provider_filter.length, 'provider') : 'all providers'}
            </span>
            <span>
              created <When at={new Date(list.created_at)} />
            </span>
            {list.is_auto_generated && <span>for one test</span>}
            {list.regen_needed && <Chip tone="doubt">providers changed</Chip>}
          </span>
        </span>
        {shown.total > 0 && (
          <span className={mailClasses.share}>
            <PlacementBar
              isSmall
              counts={countsOfStats(shown)}
              label={shown === totals.real ? 'Real mailboxes, latest tests' : 'Simulated receivers, latest tests'}
            />
            <span>
              {totalsInWords(totals)}, {count(list.results.length, 'test')}
            </span>
          </span>
        )}
      </Link>
    </li>
  );
}

/** Lists of addresses that tests go to. */
export function SeedListsPage() {
  const search = useSearch({ from: '/shell/placement/lists' });
  const navigate = useNavigate();
  const { canWrite } = useRole();
  const lists = useQuery(seedListsQuery(search));
  const [isOpen, dialog] = useDisclosure();
  const items = lists.data?.items ?? [];
  return (
    <>
      <PageHead
        title="Inbox placement"
        tabTitle="Seed lists"
        lead={
          'Where each provider puts your message: measured in real mailboxes with a margin of error, or decided ' +
          'by the rules of simulated receivers.'
        }
      >
        {canWrite && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={dialog.open}>
            New seed list
          </Button>
        )}
      </PageHead>
      <PlacementTabs />
      <div className={reportClasses.body}>
        <h2 className="visually-hidden">Seed lists</h2>
        {lists.error && (
          <Alert color="red" title="The seed lists could not be loaded">
            {sentenceOf(lists.error)}
          </Alert>
        )}
        {lists.isPending && <Skeleton height={90} />}
        {lists.data && items.length === 0 && (
          <Notice
            title="No seed lists yet"
            action={
              canWrite && (
                <Button leftSection={<PlusIcon />} onClick={dialog.open}>
                  New seed list
                </Button>
              )
            }
          >
            A seed list keeps its addresses, so that you can compare tests. You can also send to it from your own
            platform: Galley turns what arrives into a result.
          </Notice>
        )}
        {items.length > 0 && (
          <ul className={classes.lists}>
            {items.map((list) => (
              <Row key={list.kid} list={list} />
            ))}
          </ul>
        )}
        {lists.data && (
          <Paging
            page={search.page ?? 1}
            hasNext={items.length === PER_PAGE}
            onPage={(page) => void navigate({ to: '/placement/lists', search: page > 1 ? { page } : {} })}
          />
        )}
      </div>
      <Suspense>
        {isOpen && (
          <ListDialog
            list={undefined}
            onClose={dialog.close}
            onSaved={({ target_email: address }) =>
              void navigate({ to: '/placement/lists/$address', params: { address } })
            }
          />
        )}
      </Suspense>
    </>
  );
}
