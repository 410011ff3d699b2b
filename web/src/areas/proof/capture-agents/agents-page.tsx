import { Alert, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { clientsQuery, sentenceOf, sessionQuery } from '../../../ground/api.ts';
import { PlusIcon } from '../../../ground/brand/icons.tsx';
import { PageHead } from '../../../ground/shell/page.tsx';
import { Ago } from '../../../ground/shell/when.tsx';
import { count } from '../../../ground/words.ts';
import { CaptureRow } from '../../../shared/captures/capture-row.tsx';
import { RequestStateChip } from '../../../shared/captures/capture-words.tsx';
import { captureRequestsQuery, capturesQuery, type CaptureRequest } from '../../../shared/captures/captures-api.ts';
import reportClasses from '../../../shared/report/report.module.css';
import classes from '../../../shared/send/send.module.css';
import { Agents } from './agents.tsx';
import { EnrollDialog } from './enroll-dialog.tsx';

function useNames(): (client: string) => string {
  const { data: clients = {} } = useQuery(clientsQuery);
  return (client) => clients[client]?.display_name ?? client;
}

/** Captures made by hand, of any account, that nobody has decided about; for the operator. */
function Waiting() {
  const { data, error } = useQuery(capturesQuery({ state: 'waiting', accounts: 'all' }));
  const nameOf = useNames();
  return (
    <section aria-labelledby="waiting-captures">
      <h2 id="waiting-captures" className={reportClasses.sectionTitle}>
        Waiting for you
        <span className={reportClasses.sectionNote}>captures made by hand, of all accounts</span>
      </h2>
      {error && (
        <Alert color="red" title="The captures could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {data?.meta.count === 0 && <p className={classes.counted}>No capture waits for a decision.</p>}
      {data && data.meta.count > 0 && (
        <>
          <ul className={classes.rows} aria-label="Captures that wait, newest first">
            {data.items.map((capture) => (
              <CaptureRow key={capture.id} capture={capture} clientName={nameOf(capture.client)} />
            ))}
          </ul>
          {data.meta.count > data.items.length && (
            <p className={classes.counted}>
              <Link to="/captures" search={{ state: 'waiting', accounts: 'all' }}>
                All {count(data.meta.count, 'capture')} that wait
              </Link>
            </p>
          )}
        </>
      )}
    </section>
  );
}

function RequestRow({ request, clientName }: { request: CaptureRequest; clientName: string }) {
  const { test_id: testId, client, state, requested_by: by, attempts, error, capture_id: captureId } = request;
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <Link to="/previews/$testId/client/$clientId" params={{ testId, clientId: client }} className={classes.open}>
          <bdi className={classes.subject}>{clientName}</bdi>
        </Link>
        <span className={classes.facts}>
          <RequestStateChip state={state} />
          <span>
            asked by <bdi>{by}</bdi>
          </span>
          <Ago at={new Date(request.created_at)} />
          {attempts > 0 && <span>{count(attempts, 'attempt')}</span>}
          {error !== null && <bdi>{error}</bdi>}
          {captureId !== null && (
            <Link to="/captures/$captureId" params={{ captureId }}>
              The capture
            </Link>
          )}
        </span>
      </div>
    </li>
  );
}

/** What this account asked of agents. */
function Requests() {
  const { data, error, isPending } = useQuery(captureRequestsQuery());
  const nameOf = useNames();
  return (
    <section aria-labelledby="capture-requests">
      <h2 id="capture-requests" className={reportClasses.sectionTitle}>
        Jobs<span className={reportClasses.sectionNote}>what this account asked of agents</span>
      </h2>
      {error && (
        <Alert color="red" title="The jobs could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {isPending && <Skeleton height={60} />}
      {data?.meta.count === 0 && (
        <p className={classes.counted}>
          Nothing was asked. {data.clients.length > 0 && `Agents run ${data.clients.map(nameOf).join(', ')}: `}
          {data.clients.length > 0 ? 'a capture is asked for on the page of a picture.' : 'No agent runs a client yet.'}
        </p>
      )}
      {data && data.meta.count > 0 && (
        <>
          <ul className={classes.rows} aria-label="Jobs, newest first">
            {data.items.map((request) => (
              <RequestRow key={request.id} request={request} clientName={nameOf(request.client)} />
            ))}
          </ul>
          {data.meta.count > data.items.length && (
            <p className={classes.counted}>
              The newest {data.items.length} of {count(data.meta.count, 'job')}.
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** Programs on machines with real clients, what is asked of them, and what waits for the operator. */
export function AgentsPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [isEnrolling, enrolling] = useDisclosure();
  const { is_operator: isOperator } = session;
  return (
    <>
      <PageHead
        title="Capture agents"
        lead={
          isOperator
            ? 'An agent shows messages in a real client and sends back pictures. What it sends counts as evidence.'
            : 'Agents show messages in real clients. Who runs this installation enrolls them.'
        }
      >
        {isOperator && (
          <Button size="xs" variant="default" leftSection={<PlusIcon />} onClick={enrolling.open}>
            Enroll an agent
          </Button>
        )}
      </PageHead>
      {isOperator && <Waiting />}
      {isOperator && <Agents />}
      <Requests />
      {isEnrolling && <EnrollDialog onClose={enrolling.close} />}
    </>
  );
}
