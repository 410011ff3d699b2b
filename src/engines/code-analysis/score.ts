import { freshSupportOf } from '../caniemail/index.ts';
import { aboutOf } from './about.ts';
import { defaultAudience, weightedClients, type Audience, type WeightedClient } from './audiences.ts';
import { isReadBy, leftAfter, lossesIn, type Loss } from './client-loss.ts';
import type { CodeAnalysis } from './types.ts';

interface ClientScore {
  /** The key of the client in the audience, such as `outlook.windows@2016`. */
  client: string;
  name: string;
  /** 0 to 1. */
  share: number;
  /** 0 to 100. */
  score: number;
  /** Features that the client doesn't support, or not as this message uses them; the worst first. */
  breaks: string[];
  /** Features that the message uses and nobody tried in this client: the score takes them as supported. */
  untested: string[];
}

/** One feature over the whole audience. */
interface Breakage {
  slug: string;
  title: string;
  instanceCount: number;
  /** Share of the audience that loses something, 0 to 1. */
  share: number;
  /** What it costs of the overall score. */
  points: number;
  /** Names, by share. */
  clients: string[];
  suggestion?: string;
}

export interface CodeScore {
  /** 0 to 100, one decimal. */
  overall: number;
  audience: string;
  perClient: ClientScore[];
  /** What costs points, the most expensive first. They add up to 100 − `overall`, but for rounding. */
  breakages: Breakage[];
  /** How the number came about, in sentences. */
  explanation: string[];
}

interface Judged {
  client: WeightedClient;
  losses: Loss[];
  left: number;
}

/**
 * How much of a message survives, for each client and for an audience. A client's score is what is left after the
 * *union* of its losses: ten small breakages add up, one fatal one is not diluted by a long message. How much each
 * feature matters is in `about.ts`; a partial support counts by whether this message uses what is missing. The
 * overall score is the mean over the audience, weighted by its shares.
 */
export function scoreFor(
  analysis: CodeAnalysis,
  audience: Pick<Audience, 'name' | 'clients'> = defaultAudience,
): CodeScore {
  const judged: Judged[] = weightedClients(audience).map((client) => {
    const losses = lossesIn(analysis.features, client);
    return { client, losses, left: leftAfter(losses) };
  });
  const overall = rounded(100 * judged.reduce((sum, { client, left }) => sum + client.share * left, 0));
  const perClient = judged.map(({ client, losses, left }): ClientScore => ({
    client: client.key,
    name: client.name,
    share: client.share,
    score: rounded(100 * left),
    breaks: losses.map(({ slug }) => slug),
    untested: analysis.features
      .filter((feature) => isReadBy(feature, client) && freshSupportOf(feature.slug, client).level === 'u')
      .map(({ slug }) => slug),
  }));
  const breakages = breakagesOf(analysis, judged);
  return {
    overall,
    audience: audience.name,
    perClient,
    breakages,
    explanation: explain({ overall, perClient, breakages }, audience.name),
  };
}

/** A client's loss is shared out to its features by their sizes on the scale on which a union adds up. */
function breakagesOf(analysis: CodeAnalysis, judged: readonly Judged[]): Breakage[] {
  const costs = new Map<string, { share: number; points: number; clients: string[] }>();
  for (const { client, losses, left } of judged) {
    const weights = losses.map(({ size }) => -Math.log1p(-size));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    losses.forEach(({ slug }, nth) => {
      let cost = costs.get(slug);
      if (!cost) costs.set(slug, (cost = { share: 0, points: 0, clients: [] }));
      cost.share += client.share;
      cost.points += 100 * client.share * (1 - left) * (weights[nth]! / total);
      cost.clients.push(client.name);
    });
  }
  const bySlug = new Map(analysis.features.map((feature) => [feature.slug, feature]));
  return [...costs]
    .map(([slug, cost]): Breakage => {
      const { title, instanceCount } = bySlug.get(slug)!;
      const { suggestion } = aboutOf(slug);
      return {
        slug,
        title,
        instanceCount,
        ...cost,
        points: Math.round(cost.points * 100) / 100,
        ...(suggestion !== undefined && { suggestion }),
      };
    })
    .sort((a, b) => b.points - a.points || b.share - a.share);
}

function rounded(score: number): number {
  return Math.round(score * 10) / 10;
}

function explain(
  { overall, perClient, breakages }: Pick<CodeScore, 'overall' | 'perClient' | 'breakages'>,
  audience: string,
): string[] {
  const worst = perClient
    .filter(({ share }) => share > 0)
    .reduce<ClientScore | undefined>((low, one) => (!low || one.score < low.score ? one : low), undefined);
  const sentences = [
    `${overall} of 100 for the audience “${audience}”: the mean of ${perClient.length} ` +
      'clients, weighted by their shares.',
  ];
  if (worst && worst.score < 100)
    sentences.push(
      `It is worst in ${worst.name}: ${worst.score}, with ${worst.breaks.length} features that break; ` +
        `${percent(worst.share)} of the audience.`,
    );
  const intact = perClient.reduce((sum, { share, breaks }) => sum + (breaks.length ? 0 : share), 0);
  if (breakages.length)
    sentences.push(`${percent(intact)} of your readers see everything as designed, as far as known.`);
  for (const { title, points, share, clients } of breakages.filter((one) => one.points >= 0.1).slice(0, 5)) {
    const others = clients.length > 3 ? ` and ${clients.length - 3} more` : '';
    sentences.push(
      `${title} costs ${rounded(points)} points: ${percent(share)} lose by it ` +
        `(${clients.slice(0, 3).join(', ')}${others}).`,
    );
  }
  return sentences;
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10} %`;
}
