import { Loader } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { testQuery } from '../../../../ground/api.ts';
import { useProof, type Proof } from '../../../../shared/proof/proof.ts';
import { PageHead } from '../../../../ground/shell/page.tsx';
import { Ago, When } from '../../../../ground/shell/when.tsx';
import { count, fromUnix } from '../../../../ground/words.ts';
import classes from './preview-page.module.css';
import { ReportTabs } from './report-tabs.tsx';
import { Toolbar } from './toolbar.tsx';

function Lead({ proof }: { proof: Proof }) {
  const { data: test } = useSuspenseQuery(testQuery(proof.testId ?? ''));
  const bounced = proof.clients.filter((client) => client.status === 'bounced').length;
  const facts = [
    <Ago key="date" at={proof.createdAt} />,
    count(proof.clients.length, 'client'),
    bounced > 0 && (
      <span key="bounced" className={classes.bounced}>
        {bounced} bounced
      </span>
    ),
    test.reference_id && (
      <span key="reference">
        reference <span className="mono">{test.reference_id}</span>
      </span>
    ),
    test.customer_id && (
      <span key="customer">
        customer <span className="mono">{test.customer_id}</span>
      </span>
    ),
    <span key="kept">
      kept until <When at={fromUnix(test.expires_at)} />
    </span>,
  ].filter(Boolean);
  return (
    <span className={classes.facts}>
      {facts.map((fact, place) => (
        <span key={place}>{fact}</span>
      ))}
    </span>
  );
}

/** The report of a test: its heading, and its pages as tabs. */
export function ReportLayout() {
  const proof = useProof();
  const testId = proof.testId ?? '';
  const { data: test } = useSuspenseQuery(testQuery(testId));
  const left = proof.clients.filter((client) => client.status === 'processing').length;
  const { title } = proof;
  return (
    <>
      <PageHead
        title={title}
        tabTitle={left ? `(${proof.clients.length - left}/${proof.clients.length}) ${title}` : title}
        lead={<Lead proof={proof} />}
      >
        <Toolbar />
      </PageHead>
      <ReportTabs testId={testId} test={test} />
      <Suspense fallback={<Loader className={classes.loader} size="sm" aria-label="Loading" />}>
        <Outlet />
      </Suspense>
    </>
  );
}
