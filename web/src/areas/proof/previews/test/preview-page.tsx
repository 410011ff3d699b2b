import { ProofGrid } from '../../../../shared/proof/proof-grid.tsx';
import { useProof, type Proof } from '../../../../shared/proof/proof.ts';
import classes from './preview-page.module.css';

/** How far a test is. It keeps its height when all is done, so that nothing jumps. */
function Making({ proof }: { proof: Proof }) {
  const total = proof.clients.length;
  const done = proof.clients.filter((client) => client.status !== 'processing').length;
  const isDone = done === total;
  const tops = proof.clients.filter((client) => client.status === 'processing' && client.firstScreen).length;
  return (
    <div className={classes.making} data-done={isDone || undefined}>
      <div
        className={classes.track}
        role="progressbar"
        aria-label="Screenshots ready"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <div className={classes.bar} style={{ transform: `scaleX(${total ? done / total : 1})` }} />
      </div>
      <span className={classes.counter}>
        {isDone ? '' : `${done} of ${total} clients`}
        {tops > 0 && <span className={classes.tops}> · first screens of {tops} more</span>}
      </span>
    </div>
  );
}

/** All pictures of a test, as they arrive. */
export function PreviewPage() {
  const proof = useProof();
  return (
    <>
      <Making proof={proof} />
      <ProofGrid />
    </>
  );
}
