import { Alert, Button, Skeleton } from '@mantine/core';
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link, useRouter, type AnyRoute, type StaticDataRouteOption } from '@tanstack/react-router';
import { useMemo } from 'react';
import { sentenceOf, testsQuery } from '../../ground/api.ts';
import { PlusIcon } from '../../ground/brand/icons.tsx';
import type { Needs } from '../../ground/needs.ts';
import { Notice, PageHead } from '../../ground/shell/page.tsx';
import { Ago } from '../../ground/shell/when.tsx';
import { figure } from '../../ground/words.ts';
import { AddressCard } from '../proof/address-card.tsx';
import classes from './home.module.css';

type Declared = NonNullable<StaticDataRouteOption['needs']>[number];
type Asked = Declared & { answer: UseQueryResult<Needs> };

const POLL_MS = 15_000;

/** What every page says of its things that need somebody, asked one beside the other. */
function useNeeds(): Asked[] {
  const { routesById } = useRouter();
  const declared = useMemo(
    () =>
      Object.values(routesById as Record<string, AnyRoute>)
        .flatMap(({ options: { staticData } }) => staticData?.needs ?? [])
        .toSorted((one, other) => one.order - other.order),
    [routesById],
  );
  const answers = useQueries({
    queries: declared.map(({ of, load }) => ({
      queryKey: ['needs', of],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await load())(signal),
      refetchInterval: POLL_MS,
    })),
  });
  return declared.map((one, place) => ({ ...one, answer: answers[place]! }));
}

function Group({ of, needs }: { of: string; needs: Needs }) {
  const { things, total, href, search, isUnderWay } = needs;
  const more = total === undefined || total > things.length;
  return (
    <section className={classes.group} aria-label={of} data-calm={isUnderWay || undefined}>
      <h2 className={classes.title}>
        {of} <span className={classes.count}>{total === undefined ? `${things.length} or more` : figure(total)}</span>
      </h2>
      <ul className={classes.things}>
        {things.map(({ name, about, href: to, search: at, since }, place) => (
          <li key={place}>
            <Link to={to} search={at as never} className={classes.thing}>
              <span className={classes.words}>
                <bdi className={classes.name}>{name}</bdi>
                {about !== undefined && <span className={classes.about}>{about}</span>}
              </span>
              {since && (
                <span className={classes.since}>
                  <Ago at={since} />
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {more && (
        <Link to={href} search={search as never} className={classes.all}>
          {total === undefined ? 'All' : `All ${figure(total)}`}
        </Link>
      )}
    </section>
  );
}

function Failed({ asked }: { asked: readonly Asked[] }) {
  const failed = asked.filter(({ answer }) => answer.error && !answer.data);
  if (failed.length === 0) return null;
  return (
    <Alert color="red" mb="lg" title="Some of it could not be looked at">
      <ul className={classes.failed}>
        {failed.map(({ of, answer }) => (
          <li key={of}>
            {of}: {sentenceOf(answer.error)}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

const spoken = new Intl.ListFormat('en', { type: 'conjunction' });

/** The account has made no test yet. */
function First() {
  const tests = useQuery(testsQuery({ page: 1 }));
  if (tests.data?.meta.count !== 0) return null;
  return (
    <>
      <Notice
        title="Preview your first email"
        action={
          <Button leftSection={<PlusIcon />} renderRoot={(props) => <Link to="/new" {...props} />}>
            New test
          </Button>
        }
      >
        Paste an email, drop a file or enter a web address, and see it in Gmail, Outlook, Apple Mail and dozens of other
        clients, in light and dark mode.
      </Notice>
      <AddressCard />
    </>
  );
}

/** What needs somebody, each a link to where it is mended; then what is under way. */
export function HomePage() {
  const asked = useNeeds();
  const known = asked.flatMap(({ of, answer: { data } }) => (data ? [{ of, needs: data }] : []));
  const isPending = asked.some(({ answer }) => answer.isPending);
  const shown = known.filter(({ needs }) => needs.things.length > 0);
  const matters = shown.filter(({ needs }) => !needs.isUnderWay);
  const running = shown.filter(({ needs }) => needs.isUnderWay);
  const looked = spoken.format(known.map(({ needs }) => needs.looked));
  return (
    <>
      <PageHead title="Home" lead="What needs you, and what is under way." />
      <Failed asked={asked} />
      {isPending && shown.length === 0 && <Skeleton height={120} />}
      {matters.map(({ of, needs }) => (
        <Group key={of} of={of} needs={needs} />
      ))}
      {!isPending && matters.length === 0 && (
        <p className={classes.none} role="status">
          {known.length === asked.length ? 'Nothing needs you.' : 'Nothing of what could be looked at needs you.'}
        </p>
      )}
      {running.map(({ of, needs }) => (
        <Group key={of} of={of} needs={needs} />
      ))}
      {!isPending && looked !== '' && <p className={classes.looked}>Looked at: {looked}.</p>}
      <First />
    </>
  );
}
