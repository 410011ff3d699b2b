// Contrast of text, as the message is sent and with images blocked. Dark mode is judged apart, client by client.

import { formatColor } from '../../color/index.ts';
import { quoted } from '../elements.ts';
import { textContrasts, type TextContrast } from '../static-contrast.ts';
import type { EmailRule, RuleFacts, Spot } from '../types.ts';

/** The rule's texts, whichever engine measures. */
export const COLOR_CONTRAST: RuleFacts = {
  id: 'color-contrast',
  criteria: ['1.4.3'],
  impact: 'serious',
  description: 'Text stands out from its background: 4.5:1, or 3:1 for large text.',
  fix: 'Make the text darker or the background lighter, or the other way round.',
};

export const CONTRAST_DARK: RuleFacts = {
  id: 'color-contrast-dark',
  criteria: ['1.4.3'],
  impact: 'serious',
  description: 'Text stands out from its background after each client’s dark mode has changed the colors.',
  fix: 'Choose colors that also work when they are turned around, or declare colors for dark mode.',
};

/** A ratio as people write it, never rounded up to what is asked for. */
export function ratioText(ratio: number): string {
  return `${Math.floor(ratio * 100) / 100}:1`;
}

/** `“Hello” has 2.1:1 (#999999 on #ffffff), and needs 4.5:1.` */
function contrastSentence({
  text,
  ratio,
  required,
  foreground,
  background,
}: Pick<TextContrast, 'text' | 'ratio' | 'required' | 'foreground' | 'background'>): string {
  return (
    `${quoted(text, 40)} has ${ratioText(ratio)} (${formatColor(foreground)} on ` +
    `${formatColor(background)}), and needs ${required}:1.`
  );
}

function detailsOf({
  ratio,
  required,
  foreground,
  background,
  fontSizePx,
  fontWeight,
}: TextContrast): Record<string, unknown> {
  return {
    ratio: Math.floor(ratio * 100) / 100,
    required,
    foreground: formatColor(foreground),
    background: formatColor(background),
    fontSizePx,
    fontWeight,
  };
}

export const colorContrast: EmailRule = {
  ...COLOR_CONTRAST,
  check(mail) {
    const texts = textContrasts(mail);
    const low = texts.filter(({ ratio, required, isOverPicture }) => !isOverPicture && ratio < required);
    // Equal colors are mostly meant to hide, and a single character may be a symbol: axe-core leaves both to people as
    // well.
    const isDoubtful = ({ ratio, text }: TextContrast) => ratio <= 1.01 || [...text].length === 1;
    const [hidden, failures] = [low.filter(isDoubtful), low.filter((contrast) => !isDoubtful(contrast))];
    const over = texts.filter(({ isOverPicture }) => isOverPicture);
    const review: Spot[] = [
      ...over.map((contrast): Spot => ({
        at: contrast.at,
        message: `${quoted(contrast.text, 40)} stands on a picture or gradient, so its contrast must be looked at.`,
        details: { foreground: formatColor(contrast.foreground) },
      })),
      ...hidden.map((contrast): Spot => ({
        at: contrast.at,
        message:
          contrast.ratio <= 1.01
            ? `${quoted(contrast.text, 40)} has the color of its background.`
            : contrastSentence(contrast),
        details: detailsOf(contrast),
      })),
    ];
    return {
      applies: texts.length > 0,
      failures: failures.map((contrast) => ({
        at: contrast.at,
        message: contrastSentence(contrast),
        details: detailsOf(contrast),
      })),
      review,
    };
  },
};

export const contrastImagesBlocked: EmailRule = {
  id: 'contrast-images-blocked',
  criteria: ['1.4.3'],
  impact: 'moderate',
  description: 'Text over a background picture can be read when images are blocked.',
  fix: 'Give the element a background color (bgcolor, background-color) like the picture’s.',
  check(mail) {
    const over = textContrasts(mail).filter(({ isOverPicture }) => isOverPicture);
    const low = over.filter(({ ratio, required }) => ratio < required);
    return {
      applies: over.length > 0,
      failures: low.map((contrast) => ({
        at: contrast.at,
        message:
          `Without the picture behind it, ${contrastSentence(contrast).replace(/^“/, '“')}` +
          `${contrast.hasFallback ? '' : ' The picture has no color under it.'}`,
        details: detailsOf(contrast),
      })),
      review: [],
    };
  },
};
