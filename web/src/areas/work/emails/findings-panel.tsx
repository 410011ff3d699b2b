import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../../ground/api.ts';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { CausesList } from './causes-list.tsx';
import { causesQuery, CAUSES_SHOWN, stateOf, useStartTests, type OfVersion, type Test } from './emails-api.ts';
import classes from './emails.module.css';
import { TestLines } from './test-lines.tsx';

type Kind = 'code' | 'links' | 'images' | 'accessibility' | 'spam';

interface FindingsPanelProps {
  of: OfVersion;
  tests: readonly Test[];
  /** Undefined: of every kind. */
  kind: Kind | undefined;
}

/** What tests found, by cause. */
export function FindingsPanel({ of, tests, kind }: FindingsPanelProps) {
  const own = kind === undefined ? tests : tests.filter((test) => test.kind === kind);
  const { data, error } = useQuery(causesQuery(of, { kind, state: stateOf(own) }));
  const { canWrite } = useRole();
  const start = useStartTests(of);
  if (own.length === 0)
    return (
      <Notice
        title="Not tested yet"
        action={
          canWrite &&
          kind !== undefined && (
            <Button loading={start.isPending} onClick={() => start.mutate({ tests: [kind] })}>
              Start this test
            </Button>
          )
        }
      >
        {kind === undefined
          ? 'The overview starts the tests of this version.'
          : 'No test of this kind looked at this version.'}
      </Notice>
    );
  return (
    <>
      {kind !== undefined && <TestLines tests={own} />}
      {error && (
        <Alert color="red" title="The findings could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {!data && !error && <Skeleton height={200} />}
      {data?.total === 0 && own.some(({ state }) => state === 'complete') && (
        <p className="dim">No errors and no warnings that count.</p>
      )}
      {data && data.items.length > 0 && <CausesList emailId={of.emailId} causes={data.items} label="Findings" />}
      {data && data.total > CAUSES_SHOWN && (
        <p className={classes.note}>
          The first {CAUSES_SHOWN} of {data.total} are shown; the API lists all.
        </p>
      )}
    </>
  );
}
