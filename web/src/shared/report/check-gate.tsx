import { Alert, Button, Loader, type ButtonProps } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, sentenceOf, testQuery } from '../../ground/api.ts';
import { Notice } from '../../ground/shell/page.tsx';
import { useRole } from '../../ground/shell/role.ts';
import { checkOf, CHECK_NAMES, CHECKS, type CheckName } from '../../ground/checks.ts';
import classes from './report.module.css';

interface RunChecksProps {
  testId: string;
  names: readonly CheckName[];
  size?: ButtonProps['size'];
}

/** Runs checks on the stored test; running and finished checks are kept. */
export function RunChecks({ testId, names, size = 'sm' }: RunChecksProps) {
  const { canWrite } = useRole();
  const queries = useQueryClient();
  const run = useMutation({
    mutationFn: () =>
      api.call('POST /v2/preview/tests/{test_id}/content_checking', {
        path: { test_id: testId },
        body: Object.fromEntries(names.map((name) => [name, true])),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: testQuery(testId).queryKey }),
  });
  return (
    <>
      <Button size={size} loading={run.isPending} disabled={!canWrite} onClick={() => run.mutate()}>
        {names.length > 1 ? 'Run checks' : 'Run check'}
      </Button>
      {run.error && (
        <Alert color="red" mt="md" title="The checks did not start">
          {sentenceOf(run.error)}
        </Alert>
      )}
    </>
  );
}

/** What a page shows for a check that was not requested. */
export function NotChecked({ testId, what }: { testId: string; what: string }) {
  const { data: test } = useSuspenseQuery(testQuery(testId));
  const off = CHECK_NAMES.filter((name) => checkOf(test, name).state === 'off');
  return (
    <Notice title="Not checked" action={<RunChecks testId={testId} names={off} />}>
      {what} This check was not part of the test. The message is still stored, so you can run the check now
      {off.length > 1 && `: ${off.map((name) => CHECKS[name].name).join(', ')}`}.
    </Notice>
  );
}

function CheckFailed({ testId, name, error }: { testId: string; name: CheckName; error: string }) {
  return (
    <Notice
      title={`${CHECKS[name].name}: the check could not run`}
      action={<RunChecks testId={testId} names={[name]} />}
    >
      {error}
    </Notice>
  );
}

export function Checking({ name }: { name: CheckName }) {
  return (
    <div className={classes.checking} role="status">
      <Loader size="sm" aria-label="Checking" />
      <span>{CHECKS[name].name}: check in progress. The results appear here when it finishes.</span>
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
  if (check.state === 'failed') return <CheckFailed testId={testId} name={name} error={check.error} />;
  if (check.state === 'running') return <Checking name={name} />;
  return children(check.id);
}

/** What a query that did not answer leaves to say. */
export function NotLoaded({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <Notice title="The results could not be loaded" action={<Button onClick={retry}>Try again</Button>}>
      {sentenceOf(error)}
    </Notice>
  );
}
