import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { clientsQuery, sentenceOf, statusOf } from '../../../ground/api.ts';
import { Notice, PageHead } from '../../../ground/shell/page.tsx';
import { captureQuery } from '../../../shared/captures/captures-api.ts';
import { CaptureActions } from './decision.tsx';
import { Evidence } from './evidence.tsx';

/** One capture, of the own account or, for the operator, of any. */
export function CapturePage() {
  const { captureId } = useParams({ from: '/shell/captures/$captureId' });
  const { data: capture, error } = useQuery(captureQuery(captureId));
  const { data: clients } = useQuery(clientsQuery);
  const navigate = useNavigate();
  if (error && !capture)
    return (
      <Notice isPage title={statusOf(error) === 404 ? 'There is no such capture' : 'The capture could not be loaded'}>
        {statusOf(error) === 404
          ? 'It was deleted, or its test was, or it belongs to another account.'
          : sentenceOf(error)}
      </Notice>
    );
  if (!capture) return <Loader size="sm" aria-label="Loading" />;
  const name = clients?.[capture.client]?.display_name ?? capture.client;
  return (
    <>
      <PageHead
        title={name}
        tabTitle={`${name}, captured`}
        lead="The real client, and the preview of the same message."
      >
        <CaptureActions capture={capture} onDeleted={() => void navigate({ to: '/captures' })} />
      </PageHead>
      <Evidence capture={capture} clientName={name} />
    </>
  );
}
