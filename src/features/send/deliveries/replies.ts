// What the report of a delivery comes to: delivered, later, or never.
import { isHardBounce } from '../../../engines/bounces/index.ts';
import type { Delivery as Report } from '../../../platform/mail/index.ts';
import type { DeliveryStatus, Outcome } from './outcomes.ts';

const TEXT_LENGTH_MAX = 1000;
/** Nobody gave an answer. */
const UNREACHABLE_CODE = 498;

/** Words of a stranger, on one line and without what no text has. */
function clean(text: string): string {
  return text
    .slice(0, TEXT_LENGTH_MAX)
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

/** Of commands that were sent together, the first refusal is the cause of the others. */
function refusalIn(replies: Report['replies']): Report['replies'][number] | undefined {
  const refusals = replies.filter(({ code }) => code >= 400);
  return refusals.find(({ command }) => /^(MAIL|RCPT|DATA|\.)/i.test(command)) ?? refusals.at(-1);
}

type Decision = Pick<DeliveryStatus, 'code' | 'message' | 'description' | 'enhanced-code'>;

/** The reply that decided, or what was decided here. */
function decisionOf({ outcome, replies, verdict, reason }: Report): Decision & { command: string } {
  const reply =
    outcome === 'delivered' ? replies.at(-1) : outcome === 'unreachable' || verdict ? undefined : refusalIn(replies);
  if (!reply)
    return {
      code: verdict?.code ?? UNREACHABLE_CODE,
      ...(verdict && { 'enhanced-code': verdict.enhancedCode }),
      message: clean(reason),
      description: '',
      command: '',
    };
  const { code, enhancedCode, text, command } = reply;
  const said = clean(text);
  return {
    code,
    ...(enhancedCode !== null && { 'enhanced-code': enhancedCode }),
    message: outcome === 'delivered' ? said || 'OK' : clean(`${code} ${enhancedCode ?? ''} ${said}`),
    description: '',
    command,
  };
}

/** How it ended for the queue, the events and the webhooks. */
export function outcomeOf(
  report: Report,
  { recipient, isRelayed }: { recipient: string; isRelayed: boolean },
): Outcome {
  const { command, ...decision } = decisionOf(report);
  const { host, tls, elapsedMs, isUncertain } = report;
  const status: DeliveryStatus = {
    ...decision,
    ...(isUncertain && {
      description: 'It may have arrived: the connection broke after the whole message and before the answer.',
    }),
    ...(host !== null && { 'mx-host': clean(host) }),
    'session-seconds': elapsedMs / 1000,
    tls: tls !== null,
    'certificate-verified': tls?.isVerified ?? false,
    utf8: /[^\0-\x7f]/.test(recipient),
  };
  const shared = {
    status,
    ...(report.provider !== undefined && { provider: report.provider }),
    // Whose address recipients see behind a relay is not known.
    ...(report.localAddress !== undefined && !isRelayed && { envelope: { 'sending-ip': report.localAddress } }),
  };
  if (report.outcome === 'delivered') return { end: 'delivered', ...shared };
  if (report.outcome !== 'bounced') return { end: 'deferred', ...shared };
  const isHard = isHardBounce({
    code: decision.code,
    enhanced: decision['enhanced-code'],
    // The words of the server alone: an address or a domain may be called anything.
    text: report.verdict ? '' : decision.message.replaceAll(recipient, ''),
  });
  // What was said of the sender or the message says nothing of the recipient.
  const isOfRecipient = report.verdict ? isHard : /^(RCPT|\.)/i.test(command);
  return {
    end: 'failed',
    ...shared,
    reason: isOfRecipient ? 'bounce' : 'generic',
    status: { ...status, 'bounce-type': isHard ? 'hard' : 'soft' },
  };
}
