import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, sentenceOf, type Result } from '../../ground/api.ts';
import { announce } from '../../ground/shell/announce.ts';
import { tell } from '../../ground/shell/ask.ts';
import { useRole } from '../../ground/shell/role.ts';
import { PageLink } from '../proof/page-link.tsx';
import { RequestStateChip } from './capture-words.tsx';
import { comparedWords } from '../proof/compared-words.ts';
import { captureRequestsQuery, capturesQuery } from './captures-api.ts';
import classes from './real-client.module.css';

type Compared = Result['last_compared'];

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** When the client was last held against the real one; nothing where it never was. */
export function LastCompared({ compared, isLinked }: { compared: Compared; isLinked: boolean }) {
  if (!compared) return null;
  const words = sentence(comparedWords(compared));
  if (!isLinked) return <p className={classes.compared}>{words}</p>;
  return (
    <p className={classes.compared}>
      <Link to="/captures/$captureId" params={{ captureId: compared.capture_id }}>
        {words}
      </Link>
    </p>
  );
}

interface OfClient {
  testId: string;
  clientId: string;
}

/** Asks an agent, where one runs this client, and says what became of it. */
function AskAgent({ testId, clientId }: OfClient) {
  const queries = useQueryClient();
  const { data } = useQuery(captureRequestsQuery(testId));
  const asking = useMutation({
    mutationFn: () => api.call('POST /v2/preview/capture_requests', { body: { test_id: testId, client: clientId } }),
    onSuccess: () => announce('An agent is asked for a capture.'),
    onError: (error) => tell({ color: 'red', title: 'No agent was asked', message: sentenceOf(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['captures'] }),
  });
  const last = data?.items.find(({ client }) => client === clientId);
  const isUnderWay = last?.state === 'waiting' || last?.state === 'claimed';
  return (
    <>
      {data?.clients.includes(clientId) && !isUnderWay && (
        <Button variant="default" size="xs" fullWidth loading={asking.isPending} onClick={() => asking.mutate()}>
          Ask an agent for a capture
        </Button>
      )}
      {last && (
        <p className={classes.request} role="status">
          Asked of an agent: <RequestStateChip state={last.state} /> {last.error}
        </p>
      )}
    </>
  );
}

/** On the page of a picture: what is known of the real client, and how a picture of it is brought. */
export function RealClient({ compared, testId, clientId }: OfClient & { compared: Compared }) {
  const { canWrite } = useRole();
  const { data } = useQuery(capturesQuery({ test: testId, client: clientId }));
  const total = data?.meta.count ?? 0;
  return (
    <section aria-labelledby="real-client" className={classes.section}>
      <h3 id="real-client" className={classes.heading}>
        The real client
      </h3>
      <LastCompared compared={compared} isLinked />
      {total > 0 && (
        <Button
          variant="default"
          size="xs"
          fullWidth
          renderRoot={(props) => <PageLink path={`/previews/${testId}/client/${clientId}/evidence`} {...props} />}
        >
          {total === 1 ? 'See the capture of this test' : `See the ${total} captures of this test`}
        </Button>
      )}
      {canWrite && (
        <>
          <Button
            variant="default"
            size="xs"
            fullWidth
            renderRoot={(props) => (
              <PageLink path={`/previews/${testId}/captures/new`} search={{ client: clientId }} {...props} />
            )}
          >
            My client shows this …
          </Button>
          <AskAgent testId={testId} clientId={clientId} />
        </>
      )}
    </section>
  );
}
