import { Alert, Button, Loader } from '@mantine/core';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, sentenceOf, testQuery } from '../api.ts';
import { useProof } from '../proof/proof.ts';
import { Notice } from '../shell/page.tsx';
import { useRole } from '../shell/role.ts';
import { checkOf, CHECK_NAMES, CHECKS, type CheckName } from './checks.ts';
import { sourceQuery } from './report-api.ts';
import classes from './report.module.css';

/** Makes the test again, with all checks: those of a test are decided when it starts. */
function useCheckedTest(testId: string) {
  const { title, clients } = useProof();
  const source = useQuery({ ...sourceQuery(testId), enabled: false });
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async () => {
      const html = source.data ?? (await queries.ensureQueryData(sourceQuery(testId)));
      return api.call('POST /v2/preview/tests', { body: { subject: title, html, clients: clients.map(({ id }) => id), content_checking: Object.fromEntries(CHECK_NAMES.map((name) => [name, true])) } });
    },
    onSuccess: async ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['tests'] });
      await navigate({ to: '/previews/$testId/findings', params: { testId: id } });
    },
  });
}

/** What a page shows of a check that nobody asked for. */
export function NotChecked({ testId, what }: { testId: string; what: string }) {
  const start = useCheckedTest(testId);
  const { canWrite } = useRole();
  return (
    <Notice title="Not checked" action={<Button loading={start.isPending} disabled={!canWrite} onClick={() => start.mutate()}>Start a new test with all checks</Button>}>
      {what} This test was made without it. A new test of the same message, with the same clients, runs all four checks.
      {start.error && <Alert color="red" mt="md" title="The test was not made">{sentenceOf(start.error)}</Alert>}
    </Notice>
  );
}

export function CheckFailed({ name, error }: { name: CheckName; error: string }) {
  return <Notice title={`${CHECKS[name].name}: the check could not run`}>{error}</Notice>;
}

export function Checking({ name }: { name: CheckName }) {
  return (
    <div className={classes.checking} role="status">
      <Loader size="sm" aria-label="Checking" />
      <span>{CHECKS[name].name}: being checked. This page shows what is found when it is done.</span>
    </div>
  );
}

interface CheckGateProps {
  testId: string;
  name: CheckName;
  children: (id: string) => ReactNode;
}

/** Shows the page of a check when it is done, and before that how far it is. */
export function CheckGate({ testId, name, children }: CheckGateProps) {
  const { data: test } = useSuspenseQuery(testQuery(testId));
  const check = checkOf(test, name);
  if (check.state === 'off') return <NotChecked testId={testId} what={CHECKS[name].about} />;
  if (check.state === 'failed') return <CheckFailed name={name} error={check.error} />;
  if (check.state === 'running') return <Checking name={name} />;
  return children(check.id);
}

/** What a query that did not answer leaves to say. */
export function NotLoaded({ error, retry }: { error: unknown; retry: () => void }) {
  return <Notice title="This did not work" action={<Button onClick={retry}>Try again</Button>}>{sentenceOf(error)}</Notice>;
}
