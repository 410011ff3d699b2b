// Animations: how long they move, and what is seen where they do not.
import { formatSupport } from './format-support.ts';
import { nameOf, timeText, type Rule, type Verdict } from './image-finding.ts';

const SOURCE = 'WCAG 2.2 SC 2.2.2';
/** Movement that starts by itself may last this long without a way to stop it. */
const MOTION_MS_MAX = 5_000;

/** Frames and duration, motion without end, and the first frame. */
export const judgeMotion: Rule = (subject) => {
  const { facts, pixels } = subject;
  if (!facts?.format || !facts.isAnimated) return undefined;
  const name = nameOf(subject);
  const { frames, durationMs, asPlayedDurationMs, loops } = facts;
  const totalMs = loops === 'endless' ? null : asPlayedDurationMs * loops;
  const details = {
    frame_count: frames,
    animation_duration_ms: durationMs,
    played_duration_ms: asPlayedDurationMs,
    loops,
    total_duration_ms: totalMs,
  };
  const times = loops === 'endless' ? 'without end' : loops === 1 ? 'once' : `${loops} times`;
  const verdicts: Verdict[] = [
    {
      rule: 'animation',
      severity: 'info',
      message: `${name} plays ${frames} frames in ${timeText(asPlayedDurationMs)}, ${times}.`,
      details,
    },
  ];
  if (totalMs === null || totalMs > MOTION_MS_MAX) {
    verdicts.push({
      rule: 'motion',
      severity: 'warning',
      impact: 'serious',
      source: SOURCE,
      details,
      message:
        `${name} moves ${totalMs === null ? 'without end' : `for ${timeText(totalMs)}`}, ` +
        'and a reader cannot stop it.',
      fix:
        asPlayedDurationMs > 0 && asPlayedDurationMs <= MOTION_MS_MAX
          ? `Let it play ${Math.max(1, Math.floor(MOTION_MS_MAX / asPlayedDurationMs))} times at most.`
          : 'Shorten it to 5 seconds and let it play once.',
    });
  } else
    verdicts.push({
      rule: 'motion',
      severity: 'pass',
      message: `It stops after ${timeText(totalMs)}.`,
      source: SOURCE,
      details,
    });
  const { firstFrameOnly, source } = formatSupport(facts.format, facts);
  if (firstFrameOnly.length === 0 || !pixels) return verdicts;
  const about = { rule: 'first-frame', source, clients: firstFrameOnly };
  return [...verdicts, { ...about, ...judgeFirstFrame(name, firstFrameOnly.length, pixels.isBlank) }];
};

function judgeFirstFrame(name: string, clients: number, isBlank: boolean): Omit<Verdict, 'rule'> {
  if (isBlank) {
    const message = `The first frame of ${name} is blank, and ${clients} clients show nothing else.`;
    return { severity: 'warning', impact: 'serious', message, fix: 'Begin with the frame that says the most.' };
  }
  const message = `${clients} clients show only the first frame of ${name}.`;
  return { severity: 'info', impact: 'minor', message, fix: 'Make sure that the first frame says what matters.' };
}
