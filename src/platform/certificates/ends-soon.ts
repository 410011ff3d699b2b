// From when on somebody should hear that a certificate ends.
import { DAY_MS } from '../times/index.ts';

/** Who renews by machine has renewed by then. */
const LEFT_DAYS = 21;
/** Of its whole time: some are valid for a week. */
const LEFT_SHARE = 0.25;

/** From this moment on a certificate ends soon: 21 days before its end, and in the last quarter of its time. */
export function endsSoonAt({ validFrom, validTo }: { validFrom: Date; validTo: Date }): Date {
  const wholeMs = validTo.getTime() - validFrom.getTime();
  return new Date(validTo.getTime() - Math.min(LEFT_DAYS * DAY_MS, wholeMs * LEFT_SHARE));
}
