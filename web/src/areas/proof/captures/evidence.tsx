import { Alert, Loader } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sessionQuery } from '../../../ground/api.ts';
import { Facts } from '../../../ground/shell/facts.tsx';
import { When } from '../../../ground/shell/when.tsx';
import { bytes } from '../../../ground/words.ts';
import { CaptureKind, CaptureStateChip, howWords } from '../../../shared/captures/capture-words.tsx';
import { isComparing, type Capture } from '../../../shared/captures/captures-api.ts';
import classes from './captures.module.css';
import { Pair } from './pair.tsx';
import { Traits } from './traits.tsx';

const KIND = {
  real: 'An agent that the operator enrolled ran the client.',
  captured: 'Somebody says that the client showed this.',
};

function factsOf(capture: Capture, ownAccount: string): [string, ReactNode][] {
  const { decision } = capture;
  return [
    [
      'Label',
      <>
        <CaptureKind fidelity={capture.fidelity} /> {KIND[capture.fidelity]}
      </>,
    ],
    ['Evidence', capture.is_evidence ? 'yes' : <CaptureStateChip state={capture.state} />],
    ...(decision
      ? [['Decided', `${decision.by}: ${decision.reason}`] as [string, ReactNode], decidedAt(decision.at)]
      : []),
    ['Who', <bdi>{capture.captured_by}</bdi>],
    ['How', howWords(capture)],
    ['When', <When at={new Date(capture.captured_at)} />],
    ['Client version', <bdi>{capture.client_version}</bdi>],
    ['System', <bdi>{capture.os}</bdi>],
    ['Picture', `${capture.width} × ${capture.height} px at scale ${capture.scale}, ${bytes(capture.bytes)}`],
    ...(capture.account_id === ownAccount
      ? [testOf(capture)]
      : [['Account', <span className="mono">{capture.account_id}</span>] as [string, ReactNode]]),
  ];
}

function decidedAt(at: string): [string, ReactNode] {
  return ['Decided on', <When at={new Date(at)} />];
}

function testOf({ test_id: testId, client }: Capture): [string, ReactNode] {
  return [
    'Preview',
    <Link to="/previews/$testId/client/$clientId" params={{ testId, clientId: client }}>
      the test that it belongs to
    </Link>,
  ];
}

/** One capture: both pictures with their difference, how far they agree, and where the capture is from. */
export function Evidence({ capture, clientName }: { capture: Capture; clientName: string }) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { comparison, comparison_problem: problem } = capture;
  return (
    <>
      <div className={classes.sides}>
        <div>
          {isComparing(capture) && (
            <p className={classes.verdict} role="status">
              <Loader size={11} aria-label="In progress" /> It is compared as soon as its preview is ready.
            </p>
          )}
          {problem !== null && (
            <Alert color="yellow" mb="md" title="There is no comparison">
              {problem}
            </Alert>
          )}
          {comparison && <Traits comparison={comparison} />}
        </div>
        <Facts facts={factsOf(capture, session.account.id)} />
      </div>
      <Pair capture={capture} clientName={clientName} />
    </>
  );
}
