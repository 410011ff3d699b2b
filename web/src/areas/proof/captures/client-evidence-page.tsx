import { Alert, Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { sentenceOf } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { useRole } from '../../../ground/shell/role.ts';
import { count, day } from '../../../ground/words.ts';
import { agreementWords } from '../../../shared/proof/compared-words.ts';
import { capturesQuery, type Capture } from '../../../shared/captures/captures-api.ts';
import { PageLink } from '../../../shared/proof/page-link.tsx';
import { useProof } from '../../../shared/proof/proof.ts';
import classes from './captures.module.css';
import { CaptureActions } from './decision.tsx';
import { Evidence } from './evidence.tsx';

function nameOf({ captured_at: at, captured_by: by, comparison, state }: Capture): string {
  const agreement = comparison ? `, ${agreementWords(comparison.agreement)}` : '';
  return `${day(new Date(at))}, ${by}${agreement}${state === 'rejected' ? ', rejected' : ''}`;
}

function Choice({ captures, chosen, path }: { captures: readonly Capture[]; chosen: Capture; path: string }) {
  if (captures.length < 2) return null;
  return (
    <ul className={classes.others} aria-label="Captures of this client, newest first">
      {captures.map((capture) => (
        <li key={capture.id}>
          <Button
            size="compact-sm"
            variant={capture === chosen ? 'filled' : 'default'}
            aria-current={capture === chosen ? 'true' : undefined}
            renderRoot={(props) => <PageLink path={path} search={{ capture: capture.id }} {...props} />}
          >
            {nameOf(capture)}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Upload({ testId, clientId }: { testId: string; clientId: string }) {
  const { canWrite } = useRole();
  if (!canWrite) return null;
  return (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => (
        <PageLink path={`/previews/${testId}/captures/new`} search={{ client: clientId }} {...props} />
      )}
    >
      My client shows this …
    </Button>
  );
}

/** What real clients showed of one test, for one client. */
export function ClientEvidencePage() {
  const { testId, clientId } = useParams({ from: '/shell/previews/$testId/client/$clientId/evidence' });
  const { capture: wanted } = useSearch({ from: '/shell/previews/$testId/client/$clientId/evidence' });
  const { clients, title } = useProof();
  const navigate = useNavigate();
  const { data, error } = useQuery(capturesQuery({ test: testId, client: clientId }));
  const name = clients.find(({ id }) => id === clientId)?.name ?? clientId;
  const path = `/previews/${testId}/client/${clientId}/evidence`;
  const captures = data?.items ?? [];
  const chosen = captures.find(({ id }) => id === wanted) ?? captures[0];
  return (
    <>
      <PageHead
        title={`${name}: real and preview`}
        tabTitle={`${name}, evidence · ${title}`}
        lead={
          <>
            <PageLink path={`/previews/${testId}/client/${clientId}`}>The preview</PageLink> of “{title}”
            {data && `, held against ${count(data.meta.count, 'capture')} of the real client`}.
          </>
        }
      >
        {chosen && (
          <CaptureActions capture={chosen} onDeleted={() => void navigate({ to: path as '/', replace: true })} />
        )}
        <Upload testId={testId} clientId={clientId} />
      </PageHead>
      {error && !data && (
        <Alert color="red" title="The captures could not be loaded">
          {sentenceOf(error)}
        </Alert>
      )}
      {!data && !error && <Loader size="sm" aria-label="Loading" />}
      {data && !chosen && (
        <Notice title="No capture of this client">
          Nothing is known of how the real client shows this message. Whoever has it can upload a screenshot.
        </Notice>
      )}
      {chosen && (
        <>
          <Choice captures={captures} chosen={chosen} path={path} />
          <Evidence key={chosen.id} capture={chosen} clientName={name} />
        </>
      )}
    </>
  );
}
