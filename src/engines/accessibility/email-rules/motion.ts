// What moves, flashes or plays by itself.

import { attr, isSeen, plain, quoted, textOf } from '../elements.ts';
import type { Mail, MailElement } from '../read-mail.ts';
import type { EmailRule, ImageMotion, MailFacts, Spot } from '../types.ts';
import { imagesOf } from './images.ts';
import { doubting, failing, NOTHING } from './verdict.ts';

const MOVING_MS_MAX = 5_000;
const FLASHES_MAX = 3;

function animatedImages(mail: Mail, { images }: MailFacts): { at: MailElement; motion: ImageMotion }[] {
  return imagesOf(mail).flatMap((at) => {
    const motion = images?.get((attr(at, 'src') ?? '').trim());
    return motion?.isAnimated ? [{ at, motion }] : [];
  });
}

function nameOf(at: MailElement): string {
  return quoted(plain(attr(at, 'alt') ?? '') || (attr(at, 'src') ?? '').replace(/^.*\//s, ''), 40);
}

export const animatedImage: EmailRule = {
  id: 'animated-image',
  criteria: ['2.2.2'],
  impact: 'serious',
  description: `Animated pictures stop within ${MOVING_MS_MAX / 1_000} seconds, since nobody can pause them.`,
  fix: 'Let the animation play once or twice and end on a still frame.',
  check(mail, facts) {
    const animated = animatedImages(mail, facts);
    const spots = animated.flatMap(({ at, motion }): Spot[] => {
      const { asPlayedDurationMs, loops } = motion;
      const isEndless = loops === 'endless';
      const totalMs = isEndless ? Infinity : asPlayedDurationMs * Math.max(1, loops);
      if (totalMs <= MOVING_MS_MAX) return [];
      return [
        {
          at,
          message:
            `The animation ${nameOf(at)} plays ` +
            `${isEndless ? 'without end' : `for ${Math.round(totalMs / 100) / 10} seconds`}.`,
          details: { asPlayedDurationMs, loops },
        },
      ];
    });
    return failing(spots, animated.length > 0);
  },
};

export const flashingImage: EmailRule = {
  id: 'flashing-image',
  criteria: ['2.3.1'],
  impact: 'critical',
  description: `Nothing flashes more than ${FLASHES_MAX} times a second.`,
  fix: 'Slow the animation down, or use a still picture.',
  check(mail, facts) {
    const measured = animatedImages(mail, facts).filter(({ motion }) => motion.flashesPerSecond !== undefined);
    return failing(
      measured
        .filter(({ motion }) => motion.flashesPerSecond! > FLASHES_MAX)
        .map(({ at, motion }) => ({
          at,
          message: `The animation ${nameOf(at)} flashes ${Math.round(motion.flashesPerSecond!)} times a second.`,
        })),
      measured.length > 0,
    );
  },
};

function movingElement(id: 'marquee' | 'blink'): EmailRule {
  return {
    id,
    criteria: ['2.2.2'],
    impact: 'serious',
    description: `There is no ${id} element.`,
    fix: 'Use text that does not move.',
    check(mail) {
      const found = mail.elements.filter(
        (element) => element.tag === id && !element.isCommented && !element.isRepeated,
      );
      return failing(
        found.map((at) => ({
          at,
          message: `${quoted(textOf(at), 40)} ${id === 'marquee' ? 'moves' : 'blinks'} without end.`,
        })),
        mail.texts.length > 0,
      );
    },
  };
}

export const marquee = movingElement('marquee');
export const blink = movingElement('blink');

export const autoplay: EmailRule = {
  id: 'no-autoplay',
  criteria: ['1.4.2', '2.2.2'],
  impact: 'serious',
  description: 'Sound and video play only when they are started.',
  fix: 'Remove autoplay.',
  check(mail) {
    const media = mail.elements.filter(
      (element) => (element.tag === 'video' || element.tag === 'audio') && !element.isCommented,
    );
    if (media.length === 0) return NOTHING;
    const spots = media
      .filter((element) => attr(element, 'autoplay') !== undefined)
      .map((at): Spot => ({
        at,
        impact: attr(at, 'muted') === undefined ? 'serious' : 'moderate',
        message: `This ${at.tag} plays by itself${attr(at, 'muted') === undefined ? ', with sound' : ''}.`,
      }));
    return failing(spots);
  },
};

export const endlessAnimation: EmailRule = {
  id: 'endless-animation',
  criteria: ['2.2.2'],
  impact: 'moderate',
  description: 'CSS animations come to an end.',
  fix: 'Give the animation a count instead of infinite, and stop it under prefers-reduced-motion.',
  check(mail) {
    const animated = mail.elements.filter(
      (element) => !element.isCommented && mail.styleOf(element).animation !== undefined && isSeen(mail, element),
    );
    return doubting(
      animated
        .filter((element) => /\binfinite\b/.test(mail.styleOf(element).animation!))
        .map((at) => ({ at, message: `This ${at.tag} is animated without end.` })),
      animated.length > 0,
    );
  },
};
