// Size on the screen against size in the file.
import { nameOf, type ImageSubject, type Rule, type Verdict } from './image-finding.ts';
import { roleOf } from './image-role.ts';

const RATIO_TOLERANCE = 0.02;
const RATIO_TOLERANCE_PX = 2;
const DENSE = 1.5;
const WASTEFUL = 3;

interface Sized {
  name: string;
  natural: { width: number; height: number };
  shown: { width: number | undefined; height: number | undefined };
  attributeWidth: number | undefined;
  isVector: boolean;
}

function sizedOf(subject: ImageSubject): Sized | undefined {
  const { found, facts } = subject;
  const isElement = found?.kind === 'img' || found?.kind === 'input';
  if (
    !found ||
    !isElement ||
    found.size.isHidden ||
    !facts ||
    facts.width === 0 ||
    facts.height === 0 ||
    roleOf(subject) !== 'picture'
  )
    return undefined;
  const { width, height, attributeWidth } = found.size;
  return {
    name: nameOf(subject),
    natural: facts,
    shown: { width, height },
    attributeWidth,
    isVector: facts.format === 'svg',
  };
}

function details({ natural, shown }: Sized): Record<string, unknown> {
  return {
    dimensions: `${natural.width}x${natural.height}`,
    natural_width: natural.width,
    natural_height: natural.height,
    display_width: shown.width ?? null,
    display_height: shown.height ?? null,
  };
}

/** Outlook on Windows reads the attribute only, and everyone needs it to keep the place while images are blocked. */
export const judgeWidthAttribute: Rule = (subject) => {
  const sized = sizedOf(subject);
  if (!sized) return undefined;
  const { name, natural, shown, attributeWidth } = sized;
  const rule = 'width-attribute';
  if (attributeWidth !== undefined)
    return { rule, severity: 'pass', message: `The width attribute is ${attributeWidth}.`, details: details(sized) };
  const wanted = shown.width ?? natural.width;
  const fix = `Add width="${Math.round(wanted)}".`;
  if (shown.width !== undefined && Math.abs(shown.width - natural.width) > 1) {
    return {
      rule,
      severity: 'warning',
      impact: 'serious',
      fix,
      details: details(sized),
      message:
        `${name} is ${shown.width} px wide by CSS, which Outlook on Windows ignores: there it is ` +
        `${natural.width} px wide.`,
    };
  }
  return {
    rule,
    severity: 'info',
    impact: 'minor',
    message: `${name} has no width attribute, so that its place collapses while images are blocked.`,
    fix,
    details: details(sized),
  };
};

/** Attributes or CSS that squeeze the picture. */
export const judgeRatio: Rule = (subject) => {
  const sized = sizedOf(subject);
  const { width = 0, height = 0 } = sized?.shown ?? {};
  if (!sized || width === 0 || height === 0) return undefined;
  const wanted = (width * sized.natural.height) / sized.natural.width;
  const difference = Math.abs(height - wanted);
  if (difference <= RATIO_TOLERANCE_PX || difference / wanted <= RATIO_TOLERANCE) {
    return {
      rule: 'aspect-ratio',
      severity: 'pass',
      message: 'It is shown in its own proportions.',
      details: details(sized),
    };
  }
  const percent = Math.round((difference / wanted) * 100);
  return {
    rule: 'aspect-ratio',
    severity: 'warning',
    impact: percent > 10 ? 'serious' : 'moderate',
    details: details(sized),
    message:
      `${sized.name} is shown at ${width} × ${height}, which distorts its ${sized.natural.width} ` +
      `× ${sized.natural.height} pixels by ${percent} %.`,
    fix: `Use a height of ${Math.round(wanted)}, or height:auto.`,
  };
};

/** Pixels in the file per CSS pixel. */
export const judgeDensity: Rule = (subject) => {
  const sized = sizedOf(subject);
  const width = sized?.shown.width ?? 0;
  if (!sized || sized.isVector || width === 0) return undefined;
  const factor = Math.round((sized.natural.width / width) * 100) / 100;
  return { ...densityVerdict(sized, { width, factor }), details: { ...details(sized), retina_factor: factor } };
};

function densityVerdict({ name, natural }: Sized, { width, factor }: { width: number; factor: number }): Verdict {
  const wanted = `${Math.round(width * 2)} px`;
  if (factor < 0.98) {
    return {
      rule: 'upscaled',
      severity: 'warning',
      impact: 'serious',
      message: `${name} is ${natural.width} px wide and shown at ${width} px: it is blurred everywhere.`,
      fix: `Use an image at least ${width} px wide, better ${wanted}.`,
    };
  }
  if (factor < DENSE) {
    return {
      rule: 'retina',
      severity: 'info',
      impact: 'minor',
      message: `${name} has ${factor} pixels per CSS pixel: it is soft on dense screens, which most phones have.`,
      fix: `Export it ${wanted} wide and keep the shown size.`,
    };
  }
  if (factor > WASTEFUL) {
    return {
      rule: 'retina',
      severity: 'warning',
      impact: 'moderate',
      message: `${name} has ${factor} pixels per CSS pixel, more than any screen shows.`,
      fix: `Scale it to ${wanted}.`,
    };
  }
  return { rule: 'retina', severity: 'pass', message: `It has ${factor} pixels per CSS pixel.` };
}
