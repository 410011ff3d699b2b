import { Link } from '@tanstack/react-router';
import { Ago } from '../../ground/shell/when.tsx';
import classes from '../send/send.module.css';
import { CaptureKind, CaptureStateChip, howWords } from './capture-words.tsx';
import { agreementWords } from '../proof/compared-words.ts';
import { isComparing, type Capture } from './captures-api.ts';

/** How far a capture is from its preview, in words. */
function agreementOf(capture: Capture): string {
  if (capture.comparison) return `${agreementWords(capture.comparison.agreement)} agree`;
  return isComparing(capture) ? 'is being compared' : 'could not be compared';
}

/** One capture in a list: which client, who, when, how, and whether it counts. */
export function CaptureRow({ capture, clientName }: { capture: Capture; clientName: string }) {
  return (
    <li className={classes.queued}>
      <div className={classes.what}>
        <Link to="/captures/$captureId" params={{ captureId: capture.id }} className={classes.open}>
          <bdi className={classes.subject}>{clientName}</bdi>
        </Link>
        <span className={classes.facts}>
          <CaptureStateChip state={capture.state} />
          <CaptureKind fidelity={capture.fidelity} />
          <span>{agreementOf(capture)}</span>
          <bdi>
            {capture.client_version}, {capture.os}
          </bdi>
          <span>
            {howWords(capture)}
            {capture.how === 'by_hand' && (
              <>
                , <bdi>{capture.captured_by}</bdi>
              </>
            )}
          </span>
          <Ago at={new Date(capture.captured_at)} />
        </span>
      </div>
    </li>
  );
}
