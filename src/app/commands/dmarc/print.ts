import { EVIDENCE_WORDS, SENDERS_DATE } from '../../../engines/dmarc-reports/index.ts';
import type { DomainSummary, Gathered } from './gather.ts';

const SOURCES_SHOWN = 25;
const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);
const counted = (count: number): string => count.toLocaleString('en');
const many = (count: number, word: string): string => `${counted(count)} ${word}${count === 1 ? '' : 's'}`;
/** Names are from outside: nothing of them may move the cursor. */
const plain = (text: string): string => text.replaceAll(/\p{C}/gu, '?');

function policyWords({ p, sp, np, testing, pct }: DomainSummary['policy']): string {
  return [
    `p=${p || '(none stated)'}`,
    ...(sp === '' ? [] : [`sp=${sp}`]),
    ...(np === '' ? [] : [`np=${np}`]),
    ...(testing === 'y' ? ['t=y'] : []),
    ...(pct === '' || pct === '100' ? [] : [`pct=${pct} (removed by RFC 9989)`]),
  ].join(' ');
}

function domainLines(summary: DomainSummary): string[] {
  const { domain, organizations, begin, end, messages, passing, sources } = summary;
  const lines = [
    `${plain(domain)}: ${many(messages, 'message')} in ${many(summary.reports, 'report')} of ` +
      `${many(organizations.length, 'organization')}, ${day(begin)} to ${day(end)}; ` +
      plain(policyWords(summary.policy)),
    `  ${counted(passing)} pass DMARC, ${counted(summary.failing)} fail`,
    '',
    `  ${'source'.padEnd(36)} ${'messages'.padStart(10)} ${'pass'.padStart(10)} ${'fail'.padStart(10)}`,
  ];
  for (const { source, ...counts } of sources.slice(0, SOURCES_SHOWN)) {
    const name = plain(source.name).slice(0, 36).padEnd(36);
    const figures = [counts.messages, counts.passing, counts.failing].map((count) => counted(count).padStart(10));
    lines.push(`  ${name} ${figures.join(' ')}`);
    for (const { kind, messages: some } of counts.evidence)
      lines.push(
        `    ${counted(some)} look like yours: ${EVIDENCE_WORDS[kind].means}.`,
        `    → ${EVIDENCE_WORDS[kind].fix}`,
      );
  }
  if (sources.length > SOURCES_SHOWN)
    lines.push(`  … and ${many(sources.length - SOURCES_SHOWN, 'source')} more (--json)`);
  return [...lines, '', `  What breaks at p=reject: ${summary.statement}`, ''];
}

function tlsLines({ tls }: Gathered): string[] {
  return tls.flatMap(({ organization, begin, end, policies }) =>
    policies.flatMap(({ domain, type, successful, failed, failures }) => [
      `TLS to ${plain(domain)}, told by ${plain(organization)} for ${day(begin)} to ${day(end)}: ` +
        `${many(successful, 'session')} encrypted, ${counted(failed)} failed (${plain(type)})`,
      ...failures.map((failure) =>
        `  ${counted(failure.count)} ${plain(failure.type)} ${plain(failure.receivingHost)}`.trimEnd(),
      ),
    ]),
  );
}

/** Everything for people. */
export function printDmarc(
  gathered: Gathered,
  { summaries, isNamed }: { summaries: readonly DomainSummary[]; isNamed: boolean },
): string {
  const lines = summaries.flatMap(domainLines);
  lines.push(...tlsLines(gathered));
  for (const { domain, sourceIp, failure, arrived, from } of gathered.failures)
    lines.push(
      `Failed message of ${plain(domain)} from ${sourceIp || 'an address that is not named'}` +
        `${arrived === '' ? '' : `, ${arrived}`}: ${plain(failure || 'it does not say why')}; From: ${plain(from)}`,
    );
  if (gathered.duplicates > 0) lines.push(`${many(gathered.duplicates, 'report')} came twice and counted once.`);
  for (const { name, reason } of gathered.refused) lines.push(`NOT READ  ${plain(name)}: ${plain(reason)}`);
  if (summaries.length > 0)
    lines.push(
      isNamed
        ? `Known senders as of ${SENDERS_DATE}.`
        : `Addresses were not looked up in DNS: sources are named by what signed. Known senders as of ${SENDERS_DATE}.`,
    );
  return `${lines.join('\n')}\n`;
}
