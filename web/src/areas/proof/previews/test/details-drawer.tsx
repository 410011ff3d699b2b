import { useSuspenseQuery } from '@tanstack/react-query';
import { testQuery } from '../../../../ground/api.ts';
import { FIDELITY } from '../../../../shared/proof/client-marks.tsx';
import { useProof } from '../../../../shared/proof/proof.ts';
import { SideDialog } from '../../../../ground/shell/dialog.tsx';
import { Facts } from '../../../../ground/shell/facts.tsx';
import { When } from '../../../../ground/shell/when.tsx';
import { engineName, fromUnix } from '../../../../ground/words.ts';

interface DetailsDrawerProps {
  testId: string;
  onClose: () => void;
}

/** Everything the service knows about a test. */
export function DetailsDrawer({ testId, onClose }: DetailsDrawerProps) {
  const { data: test } = useSuspenseQuery(testQuery(testId));
  const { clients } = useProof();
  const engines = Map.groupBy(
    clients.filter((client) => client.result.engine),
    (client) => client.result.engine,
  );
  const fidelities = Map.groupBy(clients, (client) => client.result.fidelity);
  const headers = Object.entries(test.headers);
  return (
    <SideDialog onClose={onClose} title="Details">
      <Facts
        facts={[
          ['ID', <span className="mono">{testId}</span>],
          ['Subject', test.subject || '–'],
          ['Submitted', <When key="submitted" at={fromUnix(test.date)} />],
          ['Kept until', <When key="kept" at={fromUnix(test.expires_at)} />],
          ['Reference', test.reference_id ?? '–'],
          ['Customer', test.customer_id ?? '–'],
          ['Reading pane', test.pane_width === null ? 'as each client has it' : `${test.pane_width} px wide`],
          ['Images off', test.image_blocking ? 'included' : 'not included'],
          ['Completed', String(test.completed.length)],
          ['Processing', String(test.processing.length)],
          ['Bounced', String(test.bounced.length)],
          [
            'Method',
            [...fidelities].map(([fidelity, members]) => `${FIDELITY[fidelity].name}: ${members.length}`).join(' · '),
          ],
          [
            'Engines',
            [...engines].map(([engine, members]) => `${engineName(engine)} (${members.length})`).join(', ') || '–',
          ],
        ]}
      />
      {headers.length > 0 && (
        <>
          <h3>Headers</h3>
          <Facts facts={headers.map(([name, value]) => [name, value])} />
        </>
      )}
    </SideDialog>
  );
}
