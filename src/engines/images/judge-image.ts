// Everything that is said about the images of a message: problems, passes, and what is merely so.
import type { Finding } from '../findings/index.ts';
import { judgeAlt } from './alt-rules.ts';
import { judgeBytes, judgeEncoding, judgeFormat, judgeIntegrity, judgeType, reportProperties } from './file-rules.ts';
import { IMAGES_MAX } from './find-images.ts';
import { judgeGround } from './ground-rules.ts';
import { findingOf, sizeText, type ImageSubject, type Rule, type Verdict } from './image-finding.ts';
import { roleOf } from './image-role.ts';
import { judgeAddress, judgeLoad, judgeSkipped } from './load-rules.ts';
import { judgeMotion } from './motion-rules.ts';
import { judgeDensity, judgeRatio, judgeWidthAttribute } from './size-rules.ts';

const reportTracking: Rule = (subject) => {
  if (roleOf(subject) !== 'tracking') return undefined;
  return {
    rule: 'tracking-pixel',
    severity: 'info',
    impact: 'minor',
    message:
      'This is a tracking pixel: it reports when the message is opened. Apple Mail and Gmail load it ' +
      'whether it is read or not.',
    details: { host: URL.canParse(subject.url) ? new URL(subject.url).host : null },
  };
};

const RULES: readonly Rule[] = [
  judgeAddress,
  judgeLoad,
  judgeSkipped,
  judgeIntegrity,
  reportProperties,
  judgeType,
  judgeBytes,
  judgeFormat,
  judgeEncoding,
  judgeAlt,
  judgeWidthAttribute,
  judgeRatio,
  judgeDensity,
  judgeMotion,
  judgeGround,
  reportTracking,
];

/**
 * All findings about one image, passes too, in the order of loading, file, markup, looks. `details.impact` is in axe's
 * words.
 */
export function judgeImage(subject: ImageSubject): Finding[] {
  return RULES.flatMap((rule) => rule(subject) ?? []).map((verdict) => findingOf(subject, verdict));
}

/** Skipped for a bound of the check, not for what the image is. */
const BOUNDS = new Set(['too_many', 'total_too_large', 'no_time']);

/** What the check did not come to. `isCut`: the message has more images than are listed. */
export function judgeCompleteness(subjects: readonly ImageSubject[], isCut: boolean): Finding[] {
  const missed = subjects.filter(({ skipped }) => skipped !== undefined && BOUNDS.has(skipped)).length;
  const messages = [
    ...(isCut
      ? [`The message has more than ${IMAGES_MAX.toLocaleString('en')} images; those after them were not looked at.`]
      : []),
    ...(missed > 0
      ? [
          `${missed.toLocaleString('en')} of ${subjects.length.toLocaleString('en')} images were not looked at: ` +
            'the time or the size that one check may take was used up.',
        ]
      : []),
  ];
  return messages.map((message) => ({
    rule: 'images/not-checked',
    severity: 'warning',
    message,
    fix: 'Check the rest by their addresses.',
  }));
}

const TOTAL_BYTES_LARGE = 1_000_000;
const TOTAL_BYTES_TOO_LARGE = 3_000_000;

/**
 * What only all images together show: weight, and time when loaded one after another. A file used twice weighs once.
 */
export function judgeImages(subjects: readonly ImageSubject[]): Finding[] {
  const files = new Map(
    subjects.filter(({ facts }) => facts).map((subject) => [subject.found?.resolvedUrl ?? subject.url, subject]),
  );
  if (files.size === 0) return [];
  const bytes = [...files.values()].reduce((sum, { facts }) => sum + facts!.bytes, 0);
  const loadTimeMs = [...files.values()].reduce((sum, { load }) => sum + (load?.loadTimeMs ?? 0), 0);
  const details = { total_bytes: bytes, image_count: files.size, total_load_time_ms: loadTimeMs };
  const what = `${files.size} image${files.size === 1 ? '' : 's'} weigh${files.size === 1 ? 's' : ''} ${sizeText(bytes)}`;
  const isTooLarge = bytes > TOTAL_BYTES_TOO_LARGE;
  const verdict: Verdict =
    bytes > TOTAL_BYTES_LARGE
      ? {
          rule: 'total-bytes',
          severity: isTooLarge ? 'error' : 'warning',
          impact: isTooLarge ? 'serious' : 'moderate',
          message: `${what}: on a phone's connection this takes seconds.`,
          fix: 'Optimize the largest ones first.',
          details,
        }
      : { rule: 'total-bytes', severity: 'pass', message: `${what}.`, details };
  return [findingOf({ url: '' }, verdict)];
}
