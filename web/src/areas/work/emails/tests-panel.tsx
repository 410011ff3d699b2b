import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useRole } from '../../../ground/shell/role.ts';
import { useStartTests, type OfVersion, type Test } from './emails-api.ts';
import classes from './emails.module.css';
import { TestLines } from './test-lines.tsx';

interface TestsPanelProps {
  of: OfVersion;
  tests: readonly Test[];
  kind: 'gate' | 'placement';
  /** The sender that the version names. */
  sender: string | null;
}

const ABOUT = {
  gate: 'A gate runs every check on this version and judges it by a policy. Its page shows the verdict.',
  placement:
    'A placement test sends this version to a seed list. It needs a sender at a verified domain; local receivers ' +
    'are simulated.',
};

/** Tests that have their verdict on a page of their own. */
export function TestsPanel({ of, tests, kind, sender }: TestsPanelProps) {
  const own = tests.filter((test) => test.kind === kind);
  const { canWrite } = useRole();
  const [from, setFrom] = useState(sender ?? '');
  const start = useStartTests(of);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start.mutate({ tests: [kind], ...(kind === 'placement' && from.trim() && { from: from.trim() }) });
  };
  return (
    <>
      <p className={classes.about}>{ABOUT[kind]}</p>
      {canWrite && (
        <form className={classes.start} onSubmit={submit} noValidate>
          {kind === 'placement' && (
            <TextInput
              aria-label="From"
              name="from"
              placeholder="news@example.com"
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
          )}
          <Button type="submit" variant="default" loading={start.isPending}>
            {kind === 'gate' ? 'Run the gate' : 'Start a placement test'}
          </Button>
        </form>
      )}
      {own.length === 0 ? <p className="dim">None of this version yet.</p> : <TestLines tests={own} />}
    </>
  );
}
