// Rules about the answer to a link: its status, redirects, time and content.
import { shortUrl } from './link-class.ts';
import type { AnswerHop, LinkAnswer, LinkSubject, Verdict } from './types.ts';

const REDIRECTS_MAX = 3;
const SLOW_MS = 3_000;
const VERY_SLOW_MS = 8_000;
/** A page of its own, images and scripts apart; phones on the road feel more. */
const LARGE_BYTES = 5_000_000;

/** All that the answer of a web link says. */
export function judgeAnswer(subject: LinkSubject, answer: LinkAnswer): Verdict[] {
  const reached = answer.statusCode !== null && answer.statusCode >= 200 && answer.statusCode < 300;
  return [
    subject.isUnsubscribe ? judgeTouched(subject, answer) : judgeReach(subject, answer),
    judgeRedirects(answer),
    judgeRefresh(answer),
    reached ? judgeSpeed(answer) : undefined,
    reached ? judgeContent(answer) : undefined,
    judgeFragment(subject, answer),
  ].filter((verdict) => verdict !== undefined);
}

function factsOf({
  statusCode,
  finalUrl,
  contentType,
  contentLength,
  downloadName,
  errorCode,
  totalMs,
}: LinkAnswer): Record<string, unknown> {
  return {
    status_code: statusCode,
    final_url: finalUrl,
    content_type: contentType,
    content_length: contentLength,
    total_ms: rounded(totalMs),
    ...(downloadName !== null && { download_name: downloadName }),
    ...(errorCode !== null && { error_code: errorCode }),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

const MEANINGS: Record<number, string> = {
  400: 'calls it a bad request',
  404: 'does not know the page',
  405: 'does not allow it to be opened',
  410: 'says that the page is gone for good',
  500: 'failed',
  502: 'got no valid reply from the server behind it',
  503: 'is overloaded or closed',
  504: 'got no reply in time from the server behind it',
};

function judgeReach({ url }: LinkSubject, answer: LinkAnswer): Verdict {
  const link = shortUrl(url.trim());
  const details = [factsOf(answer)];
  const broken = (message: string, fix: string): Verdict => ({
    rule: 'reachable',
    severity: 'error',
    impact: 'critical',
    message,
    fix,
    details,
  });
  switch (answer.status) {
    case 'ok':
    case 'redirected':
      return {
        rule: 'reachable',
        severity: 'pass',
        message: `${link} answers with status ${answer.statusCode}.`,
        details,
      };
    case 'broken':
      return broken(brokenText(link, answer), 'Correct the link, or bring the page back.');
    case 'dns':
      return (
        judgeUnresolved(link, answer) ??
        broken(`${link} is broken: its host name does not exist.`, 'Correct the host name.')
      );
    case 'tls':
      return broken(`${link} offers no TLS connection that works.`, 'Mend the TLS set-up of the server.');
    case 'timeout':
      // The end of the whole test says nothing about this link.
      if (answer.reason === 'deadline') return notChecked(link, answer);
      return broken(
        `${link} did not answer in time.`,
        'See whether the server is overloaded, or turns this service away.',
      );
    case 'loop':
      return broken(
        answer.reason === 'redirect_loop'
          ? `${link} redirects in a circle.`
          : `${link} redirects too often; browsers give up as well.`,
        'Mend the redirects.',
      );
    case 'blocked':
      return privateAddress(link, answer);
    case 'refused_to_robots':
      return refusesPrograms(link, answer);
    case 'unsupported_scheme':
      return {
        rule: 'reachable',
        severity: 'info',
        impact: 'minor',
        message: `${link} ends in an app: ${shortUrl(answer.finalUrl ?? '')}.`,
        details,
      };
    case 'not_followed':
      return notChecked(link, answer);
  }
}

function privateAddress(link: string, { finalUrl }: LinkAnswer): Verdict {
  return {
    rule: 'private-address',
    severity: 'error',
    impact: 'critical',
    message: `${link} leads to an address that is not public, so readers cannot open it.`,
    fix: 'Link to a public address.',
    details: [{ final_url: finalUrl }],
  };
}

function refusesPrograms(link: string, answer: LinkAnswer): Verdict {
  const message =
    `${link} answers programs with status ${answer.statusCode}; it is there, but only a person can tell ` +
    'whether it is right.';
  const details = [{ ...factsOf(answer), retry_after_seconds: answer.retryAfterSeconds }];
  return { rule: 'refuses-programs', severity: 'info', impact: 'minor', message, fix: 'Open it by hand.', details };
}

function brokenText(link: string, { reason, statusCode, errorCode }: LinkAnswer): string {
  if (reason === 'invalid_url') return `${link} is no web address that can be opened.`;
  if (reason === 'connect') return `The host of ${link} refuses connections${errorCode ? ` (${errorCode})` : ''}.`;
  if (statusCode === null || reason !== null)
    return `The host of ${link} does not answer in HTTP${errorCode ? ` (${errorCode})` : ''}.`;
  const meaning = MEANINGS[statusCode];
  return `${link} is broken: the server answers with status ${statusCode}${meaning ? ` and ${meaning}` : ''}.`;
}

/** How name servers, or the system, say that a host is not there; what else they say is not about the host alone. */
const NO_HOST: readonly (string | null)[] = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA', null];

/** What is to be said when nobody knows whether there is a host of that name; undefined when it is known. */
function judgeUnresolved(link: string, answer: LinkAnswer): Verdict | undefined {
  const { errorCode } = answer;
  if (NO_HOST.includes(errorCode)) return undefined;
  const details = [factsOf(answer)];
  const open: Verdict = {
    rule: 'not-checked',
    severity: 'info',
    impact: 'minor',
    message: `${link} was not checked: no name server answered for its host (${errorCode}).`,
    fix: 'Check it again later.',
    details,
  };
  if (errorCode !== 'ESERVFAIL') return open;
  const message =
    `${link} could not be checked: the name servers of its host fail (SERVFAIL). ` +
    'Readers cannot open it while they do.';
  return {
    ...open,
    severity: 'warning',
    impact: 'serious',
    message,
    fix: 'Check it again later; if it stays so, fix the DNS of its domain.',
  };
}

const NOT_CHECKED: Record<string, string> = {
  too_many: 'there are too many links in this test',
  deadline: 'the time of this test was used up',
  aborted: 'the test was ended',
  not_followed: 'it leads on to an unsubscribe address',
};

function notChecked(link: string, { reason, finalUrl }: LinkAnswer): Verdict {
  const rule = reason === 'not_followed' ? 'unsubscribe' : 'not-checked';
  return {
    rule,
    severity: 'info',
    impact: 'minor',
    message: `${link} was not followed to its end: ${NOT_CHECKED[reason ?? ''] ?? 'nothing was asked'}.`,
    fix: 'Open it by hand.',
    ...(finalUrl !== null && { details: [{ final_url: finalUrl }] }),
  };
}

/** An unsubscribe link was asked with one HEAD, and its redirects were not followed. */
function judgeTouched(subject: LinkSubject, answer: LinkAnswer): Verdict {
  if (answer.status !== 'not_followed' || answer.reason !== 'not_followed') return judgeReach(subject, answer);
  const link = shortUrl(subject.url.trim());
  const { statusCode } = answer;
  const base: Verdict = {
    rule: 'unsubscribe',
    severity: 'info',
    impact: 'minor',
    details: [factsOf(answer)],
    message:
      statusCode === null
        ? `${link} was not asked, since following it may unsubscribe somebody.`
        : `${link} was only touched (HEAD, status ${statusCode}), not followed, since that may unsubscribe somebody.`,
    fix: 'Try it by hand with a test address.',
  };
  if (statusCode !== 404 && statusCode !== 410 && (statusCode ?? 0) < 500) return base;
  return {
    ...base,
    severity: 'warning',
    impact: 'serious',
    message: `The unsubscribe link ${link} answers HEAD with status ${statusCode}; it was not followed.`,
  };
}

/** The whole way, with the time of every phase. */
function judgeRedirects({ chain, status }: LinkAnswer): Verdict | undefined {
  if (chain.length === 0) return undefined;
  const details = chain.map(hopView);
  const count = chain.length - 1;
  if (count === 0)
    return status === 'loop'
      ? undefined
      : { rule: 'redirects', severity: 'pass', message: 'It leads there without redirects.', details };
  const message = `It takes ${count} redirect${count === 1 ? '' : 's'} (${chain
    .slice(0, 8)
    .map((hop) => hop.status)
    .join(' → ')}).`;
  const fix = 'Link to the final address, unless a redirect counts clicks.';
  if (count > REDIRECTS_MAX)
    return { rule: 'redirects', severity: 'warning', impact: 'moderate', message, fix, details };
  return { rule: 'redirects', severity: 'info', impact: 'minor', message, fix, details };
}

function hopView(hop: AnswerHop): Record<string, unknown> {
  const { dnsMs, connectMs, tlsMs, firstByteMs } = hop;
  const phase = (ms: number | null) => (ms === null ? null : rounded(ms));
  return {
    url: hop.url,
    method: hop.method,
    status_code: hop.status,
    via: hop.via,
    remote_address: hop.remoteAddress,
    reused_connection: hop.isReused,
    dns_ms: phase(dnsMs),
    connect_ms: phase(connectMs),
    tls_ms: phase(tlsMs),
    first_byte_ms: rounded(firstByteMs),
    total_ms: rounded((dnsMs ?? 0) + (connectMs ?? 0) + (tlsMs ?? 0) + firstByteMs),
  };
}

function judgeRefresh({ chain }: LinkAnswer): Verdict | undefined {
  const at = chain.findIndex(({ via }) => via === 'meta_refresh');
  if (at <= 0) return undefined;
  const [from, to] = [chain[at - 1]!.url, chain[at]!.url];
  return {
    rule: 'meta-refresh',
    severity: 'warning',
    impact: 'moderate',
    message: `${shortUrl(from)} redirects by a meta refresh, which is slow and breaks the back button.`,
    fix: 'Redirect with status 301 or 302.',
    source: 'WCAG 2.2 SC 2.2.1',
    details: [{ from, to }],
  };
}

function judgeSpeed({ totalMs }: LinkAnswer): Verdict {
  const details = [{ total_ms: rounded(totalMs) }];
  const seconds = (totalMs / 1000).toFixed(1);
  if (totalMs > VERY_SLOW_MS)
    return {
      rule: 'response-time',
      severity: 'warning',
      impact: 'moderate',
      message: `It took ${seconds} s to answer.`,
      fix: 'Make the page answer within 3 s.',
      details,
    };
  if (totalMs > SLOW_MS)
    return {
      rule: 'response-time',
      severity: 'info',
      impact: 'minor',
      message: `It took ${seconds} s to answer.`,
      fix: 'Make the page answer within 3 s.',
      details,
    };
  return {
    rule: 'response-time',
    severity: 'pass',
    message: `It answered within ${Math.max(1, Math.round(totalMs))} ms.`,
    details,
  };
}

const PROGRAM = /\.(?:exe|msi|scr|bat|cmd|com|pif|vbs|js|jar|ps1|apk|dmg|pkg|iso|img|lnk|hta)$/i;

function judgeContent({ contentType, contentLength, downloadName, finalUrl }: LinkAnswer): Verdict {
  const details = [
    {
      content_type: contentType,
      content_length: contentLength,
      ...(downloadName !== null && { download_name: downloadName }),
    },
  ];
  const path = finalUrl !== null && URL.canParse(finalUrl) ? new URL(finalUrl).pathname : '';
  const file = downloadName || path;
  const say = (
    severity: 'warning' | 'info',
    parts: { impact: Verdict['impact'] & string; message: string; fix?: string },
  ): Verdict => ({ rule: 'content', severity, ...parts, details });
  const isPage = contentType === 'text/html' || contentType === 'application/xhtml+xml';
  if (!isPage && PROGRAM.test(file))
    return say('warning', {
      impact: 'serious',
      message: `It downloads a program (${file.slice(file.lastIndexOf('/') + 1)}), which mail filters block.`,
      fix: 'Link to a page that offers the download.',
    });
  if (contentLength === 0)
    return say('warning', { impact: 'serious', message: 'The page is empty.', fix: 'Check what the server sends.' });
  if (contentType === null)
    return say('info', {
      impact: 'minor',
      message: 'The server sends no content type.',
      fix: 'Send a Content-Type.',
    });
  if (downloadName !== null)
    return say('info', {
      impact: 'minor',
      message: `It starts a download${downloadName ? ` of ${downloadName}` : ''} (${contentType}).`,
    });
  if ((contentLength ?? 0) > LARGE_BYTES)
    return say('info', {
      impact: 'minor',
      message: `It is ${(contentLength! / 1_000_000).toFixed(1)} MB large (${contentType}).`,
      fix: 'Say so next to the link.',
    });
  return {
    rule: 'content',
    severity: 'pass',
    message: `It is ${contentType}${contentLength === null ? '' : `, ${contentLength} bytes`}.`,
    details,
  };
}

function judgeFragment({ url }: LinkSubject, { isFragmentFound }: LinkAnswer): Verdict | undefined {
  if (isFragmentFound === null) return undefined;
  const fragment = url.slice(url.indexOf('#')).trim();
  const details = [{ fragment }];
  if (isFragmentFound)
    return { rule: 'fragment', severity: 'pass', message: `The page has the anchor ${shortUrl(fragment)}.`, details };
  return {
    rule: 'fragment',
    severity: 'warning',
    impact: 'moderate',
    message: `The page has no anchor ${shortUrl(fragment)}; readers land at its top.`,
    fix: 'Correct the part after #, or give the element that id.',
    details,
  };
}
