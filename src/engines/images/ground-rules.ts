// Transparent images on the grounds that clients put behind them, measured on their pixels.
import { formatColor, parseColor } from '../color/index.ts';
import { darkGrounds, groundRisk, type GroundRisk } from './ground-risk.ts';
import { nameOf, type Rule, type Verdict } from './image-finding.ts';
import { roleOf } from './image-role.ts';

const SOURCE = 'WCAG 2.2 SC 1.4.11';
const WHITE = '#ffffff';

/** A dark logo in dark mode, a light logo on a light ground. */
export const judgeGround: Rule = (subject) => {
  const { found, facts, pixels } = subject;
  if (!facts?.hasAlpha || !pixels || pixels.isBlank || pixels.isOpaque || roleOf(subject) !== 'picture')
    return undefined;
  const behind = found ? found.behind : WHITE;
  // Behind a picture nobody knows what the color is.
  if (behind === undefined) return undefined;
  const verdicts: Verdict[] = [];
  const light = groundRisk(pixels, parseColor(behind)!);
  const name = nameOf(subject);
  if (light.verdict !== 'safe') {
    verdicts.push({
      rule: 'contrast',
      severity: found && light.verdict === 'lost' ? 'warning' : 'info',
      impact: found ? 'serious' : 'minor',
      source: SOURCE,
      details: { ...measures(light), ground: behind },
      message:
        `${name} is hard to see on ${behind}${found ? ', the color behind it' : ''}: ` +
        `${percent(light.contourLostShare)} of its contour has a contrast below 2:1.`,
      fix: 'Put another color behind it, or use its version for this background.',
    });
  } else
    verdicts.push({
      rule: 'contrast',
      severity: 'pass',
      message: `Its contour stands out from ${behind}.`,
      details: { ...measures(light), ground: behind },
    });
  return [
    ...verdicts,
    darkVerdict(
      name,
      darkGrounds(behind).map(({ client, ground }) => ({
        client,
        ground: formatColor(ground),
        risk: groundRisk(pixels, ground),
      })),
    ),
  ];
};

interface DarkResult {
  client: string;
  ground: string;
  risk: GroundRisk;
}

function darkVerdict(name: string, results: DarkResult[]): Verdict {
  const rule = 'dark-mode';
  const risky = results.filter(({ risk }) => risk.verdict !== 'safe');
  const lost = risky.filter(({ risk }) => risk.verdict === 'lost');
  if (risky.length === 0)
    return {
      rule,
      severity: 'pass',
      message: `Its contour stands out from the background in all ${results.length} dark modes that change colors.`,
      source: SOURCE,
    };
  const worst = risky.toSorted((a, b) => b.risk.contourLostShare - a.risk.contourLostShare)[0]!;
  return {
    rule,
    severity: lost.length > 0 ? 'warning' : 'info',
    impact: lost.length > 0 ? 'serious' : 'moderate',
    source: SOURCE,
    clients: risky.map(({ client }) => client),
    message:
      `${name} is transparent and ${lost.length > 0 ? 'vanishes' : 'loses its contour'} in dark mode: ` +
      `in ${worst.client.replace(/, dark$/, '')} the ground becomes ${worst.ground}, and ` +
      `${percent(worst.risk.contourLostShare)} of its contour has a contrast below 2:1.`,
    fix: 'Give it a thin light outline or a background color, which does no harm in light mode.',
    details: {
      ...measures(worst.risk),
      ground: worst.ground,
      grounds: [...new Set(risky.map(({ ground }) => ground))],
    },
  };
}

function measures({ contourLostShare, visibleLostShare }: GroundRisk): Record<string, unknown> {
  return { contour_lost_share: contourLostShare, visible_lost_share: visibleLostShare };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
