import { Alert, Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../../ground/api.ts';
import { Notice } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { previewsQuery, useStartTests, type OfVersion, type Test } from './emails-api.ts';
import classes from './emails.module.css';
import { TestLines } from './test-lines.tsx';

/** The pictures of the newest preview test. */
function Pictures({ test }: { test: Test }) {
  const { data, error } = useQuery(previewsQuery(test.id, test.state));
  if (error)
    return (
      <Alert color="red" title="The pictures could not be loaded">
        {sentenceOf(error)}
      </Alert>
    );
  if (!data) return <Skeleton height={240} />;
  return (
    <ul className={classes.pictures} aria-label="Pictures">
      {Object.values(data).map(({ id, display_name: name, thumbnail, status, findings }) => (
        <li key={id}>
          <a href={`/previews/${test.id}/client/${id}`}>
            <span className={classes.picture}>
              {status === 'Complete' ? (
                <img src={thumbnail} alt="" loading="lazy" />
              ) : (
                <span className="dim">{status === 'Bounced' ? 'bounced' : 'in progress'}</span>
              )}
            </span>
            <span>{name}</span>
            {findings.length > 0 && (
              <span className="dim">
                {findings.length} {findings.length === 1 ? 'fault' : 'faults'}
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** What clients show of a version. */
export function PreviewsPanel({ of, tests }: { of: OfVersion; tests: readonly Test[] }) {
  const own = tests.filter(({ kind }) => kind === 'previews');
  const { canWrite } = useRole();
  const start = useStartTests(of);
  const [newest] = own;
  if (!newest)
    return (
      <Notice
        title="No pictures yet"
        action={
          canWrite && (
            <Button loading={start.isPending} onClick={() => start.mutate({ tests: ['previews'] })}>
              Start a preview test
            </Button>
          )
        }
      >
        A preview test shows this version in the default clients.
      </Notice>
    );
  return (
    <>
      <TestLines tests={own} />
      <Pictures test={newest} />
    </>
  );
}
