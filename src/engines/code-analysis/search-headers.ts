// Features that a message shows outside its HTML.

import type { LocatedMessage } from '../source/index.ts';
import type { AnalyzeOptions } from './types.ts';

interface Outside {
  found: Set<string>;
  notLookedFor: { slug: string; reason: string }[];
}

/**
 * AMP is a part of its own, or an HTML document marked as AMP. BIMI is a DNS record of the sender's domain; a message
 * tells of it by `BIMI-Selector`, by what receivers add (`BIMI-Location`, `BIMI-Indicator`), and by `bimi=pass` in
 * their Authentication-Results (draft-brand-indicators-for-message-identification §§4, 5).
 */
export function searchHeaders(message: LocatedMessage, { headers, ampHtml }: AnalyzeOptions): Outside {
  const found = new Set<string>();
  const notLookedFor: Outside['notLookedFor'] = [];
  if (ampHtml?.trim() || isAmp(message)) found.add('amp');
  else if (ampHtml === undefined)
    notLookedFor.push({
      slug: 'amp',
      reason: 'AMP for Email is a part of its own (text/x-amp-html), and only the HTML part was given.',
    });
  if (!headers)
    notLookedFor.push({
      slug: 'bimi',
      reason: "BIMI shows in the header fields and in the DNS of the sender's domain, and no header fields were given.",
    });
  else if (headers.some(isBimi)) found.add('bimi');
  return { found, notLookedFor };
}

function isAmp({ elements }: LocatedMessage): boolean {
  const html = elements.find(({ node }) => node.tagName === 'html')?.node;
  return html?.attrs.some(({ name }) => name === 'amp4email' || /^⚡\uFE0F?4email$/.test(name)) ?? false;
}

function isBimi({ name, value }: { name: string; value: string }): boolean {
  if (/^bimi-(?:selector|location|indicator)$/i.test(name)) return true;
  return /^authentication-results$/i.test(name) && /\bbimi\s*=\s*pass\b/i.test(value);
}
