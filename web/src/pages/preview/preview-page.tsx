import { useSuspenseQuery } from '@tanstack/react-query';
import { testQuery } from '../../api.ts';
import { ProofGrid } from '../../proof/proof-grid.tsx';
import { useProof, type Proof } from '../../proof/proof.ts';
import { PageHead } from '../../shell/page.tsx';
import { ago, count, fromUnix, moment } from '../../words.ts';
import classes from './preview-page.module.css';
import { Toolbar } from './toolbar.tsx';

/** How far a test is. It keeps its height when all is done, so that nothing jumps. */
function Making({ proof }: { proof: Proof }) {
  const total = proof.clients.length;
  const done = proof.clients.filter((client) => client.status !== 'processing').length;
  const isDone = done === total;
  return (
    <div className={classes.making} data-done={isDone || undefined}>
      <div className={classes.track} role="progressbar" aria-label="Pictures made" aria-valuemin={0} aria-valuemax={total} aria-valuenow={done}>
        <div className={classes.bar} style={{ transform: `scaleX(${total ? done / total : 1})` }} />
      </div>
      <span className={classes.counter}>{isDone ? '' : `${done} of ${total} clients`}</span>
    </div>
  );
}

function Lead({ proof }: { proof: Proof }) {
  const { data: test } = useSuspenseQuery(testQuery(proof.testId ?? ''));
  const bounced = proof.clients.filter((client) => client.status === 'bounced').length;
  const facts = [
    <time key="date" dateTime={proof.createdAt.toISOString()} title={moment(proof.createdAt)}>{ago(proof.createdAt)}</time>,
    count(proof.clients.length, 'client'),
    bounced > 0 && <span key="bounced" className={classes.bounced}>{bounced} bounced</span>,
    test.reference_id && <span key="reference">reference <span className="mono">{test.reference_id}</span></span>,
    test.customer_id && <span key="customer">customer <span className="mono">{test.customer_id}</span></span>,
    <span key="kept" title={moment(fromUnix(test.expires_at))}>kept until {moment(fromUnix(test.expires_at)).split(',')[0]}</span>,
  ].filter(Boolean);
  return <span className={classes.facts}>{facts.map((fact, place) => <span key={place}>{fact}</span>)}</span>;
}

/** All pictures of a test, as they arrive. */
export function PreviewPage() {
  const proof = useProof();
  const left = proof.clients.filter((client) => client.status === 'processing').length;
  const title = proof.title || 'Without a subject';
  return (
    <>
      <PageHead title={title} tabTitle={left ? `(${proof.clients.length - left}/${proof.clients.length}) ${title}` : title} lead={<Lead proof={proof} />}>
        <Toolbar />
      </PageHead>
      <Making proof={proof} />
      <ProofGrid />
    </>
  );
}
