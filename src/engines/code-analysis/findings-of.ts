import type { Finding, Severity } from '../findings/index.ts';
import { aboutOf } from './about.ts';
import { defaultAudience, weightedClients, type Audience, type WeightedClient } from './audiences.ts';
import { lossOf, type Loss } from './client-loss.ts';
import type { AnalyzedFeature, CodeAnalysis } from './types.ts';

interface FindingOptions {
  /** Whose clients count. By default the consumer profile. */
  audience?: Pick<Audience, 'clients'>;
  /** One finding for each place instead of one for each feature. */
  everyPlace?: boolean;
}

/** A loss of content or layout is an error where it meets at least this share of the audience. */
const ERROR_SHARE = 0.03;
const NAMES_MAX = 4;

interface Judged {
  client: WeightedClient;
  loss: Loss;
}

/**
 * The analysis as findings: one for each feature that some client of the audience does not support as the message uses
 * it. Features that all support are no finding.
 */
export function findingsOf(
  analysis: CodeAnalysis,
  { audience = defaultAudience, everyPlace = false }: FindingOptions = {},
): Finding[] {
  const clients = weightedClients(audience).filter(({ share }) => share > 0);
  return analysis.features.flatMap((feature) => {
    const judged = clients.flatMap((client): Judged[] => {
      const loss = lossOf(feature, client);
      return loss ? [{ client, loss }] : [];
    });
    if (!judged.length) return [];
    const finding = findingOf(feature, judged, analysis.dataDate);
    const places = everyPlace ? feature.instances : feature.instances.slice(0, 1);
    if (!places.length) return [finding];
    return places.map(({ line, column, offset, snippet, selector }) => ({
      ...finding,
      where: { line, column, offset, snippet, ...(selector !== undefined && { selector }) },
    }));
  });
}

function findingOf(feature: AnalyzedFeature, judged: readonly Judged[], dataDate: string): Finding {
  const share = judged.reduce((sum, { client }) => sum + client.share, 0);
  const notes = [...new Set(judged.flatMap(({ loss }) => loss.notes))].flatMap((number) => feature.notes[number] ?? []);
  return {
    rule: `code/${feature.slug}`,
    severity: severityOf(feature, judged),
    message: messageOf(feature, judged, notes[0]),
    ...(feature.suggestion !== undefined && { fix: feature.suggestion }),
    source: `${feature.url} (tested ${feature.lastTestDate}; data of ${dataDate})`,
    clients: judged.map(({ client }) => client.name),
    details: {
      slug: feature.slug,
      instances: feature.instanceCount,
      share: Math.round(share * 1000) / 1000,
      notes,
      unsupported: keysOf(judged.filter(({ loss }) => loss.level === 'n')),
      partial: keysOf(judged.filter(({ loss }) => loss.level !== 'n')),
    },
  };
}

/** Each once: two programs may be the same client of the data. */
function keysOf(judged: readonly Judged[]): string[] {
  return [...new Set(judged.map(({ client }) => client.key))];
}

function severityOf({ slug }: AnalyzedFeature, judged: readonly Judged[]): Severity {
  const { impact } = aboutOf(slug);
  if (impact === 'detail' || impact === 'access' || impact === 'none') return 'info';
  const lost = judged.filter(({ loss }) => loss.level === 'n').reduce((sum, { client }) => sum + client.share, 0);
  if (impact === 'look' || impact === 'mobile') return lost > 0 ? 'warning' : 'info';
  return lost >= ERROR_SHARE ? 'error' : 'warning';
}

function messageOf(feature: AnalyzedFeature, judged: readonly Judged[], note: string | undefined): string {
  const without = judged.filter(({ loss }) => loss.level === 'n');
  const partly = judged.filter(({ loss }) => loss.level !== 'n');
  const parts = [
    without.length ? `is not supported in ${namesOf(without)}` : '',
    partly.length
      ? `${without.length ? 'and ' : 'is '}only partly${without.length ? '' : ' supported'} in ${namesOf(partly)}`
      : '',
  ]
    .filter(Boolean)
    .join(', ');
  const places = feature.instanceCount > 1 ? ` (${feature.instanceCount} places)` : '';
  return `${feature.title}${places} ${parts}.${note ? ` ${plainNote(note)}` : ''}`;
}

/** A note without Markdown and without the word that repeats its level. */
function plainNote(note: string): string {
  const text = note
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim();
  return text.replace(/^(?:Partial|Partial support|Not supported|Buggy)\.\s+(?=\S)/, '');
}

function namesOf(judged: readonly Judged[]): string {
  const names = judged.slice(0, NAMES_MAX).map(({ client }) => client.name);
  return judged.length > NAMES_MAX ? `${names.join(', ')} and ${judged.length - NAMES_MAX} more` : names.join(', ');
}
