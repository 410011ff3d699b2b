// What was measured of a picture, as findings of its client.
import { onePerCause, type Finding } from '../findings/index.ts';

/** What is known of a picture; lengths are CSS pixels. */
export interface PictureFacts {
  /** Absent where nothing was measured. */
  layout?: Layout | undefined;
  /** Characters of text that the client does not show, because the message is too long for it. */
  clippedCharacters?: number | undefined;
  /** A screen of a phone, on which nobody likes to scroll sideways. */
  isPhone: boolean;
  /** Images are shown. */
  images: boolean;
}

type Box = readonly number[];

interface Layout {
  width: number;
  viewportWidth: number;
  widest?: { selector: string; width: number } | undefined;
  overlaps: readonly { text: string; other: string; selector: string; box: Box }[];
  cuts: readonly { text: string; lines: number; selector: string; box: Box }[];
  images: readonly {
    selector: string;
    box: Box;
    url: string;
    alt: string;
    fault: 'missing' | 'stretched';
    natural?: number[];
    shown?: number[];
  }[];
  contrasts: readonly {
    text: string;
    selector: string;
    box: Box;
    ratio: number;
    color: string;
    behind: string;
    size: number;
  }[];
}

/** Below it a text can't be told from what is behind it. */
const INVISIBLE = 1.5;
/** Findings of one picture: its faults are told, not its every letter. */
const FINDINGS_MAX = 20;
const PLACES_MAX = 10;

const SOURCE = 'measured in this picture';

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function contrastFindings(contrasts: Layout['contrasts']): Finding[] {
  const byColors = Map.groupBy(contrasts, ({ color, behind }) => `${color} on ${behind}`);
  return [...byColors.values()].map((same): Finding => {
    const [first] = same as [Layout['contrasts'][number]];
    const isInvisible = first.ratio < INVISIBLE;
    const others = same.length > 1 ? `, and ${same.length - 1} more ${same.length === 2 ? 'text' : 'texts'}` : '';
    return {
      rule: isInvisible ? 'picture/invisible-text' : 'picture/low-contrast',
      severity: isInvisible ? 'error' : 'warning',
      message:
        `The text “${shortened(first.text)}”${others} has a contrast of ${first.ratio.toFixed(2)}:1 ` +
        `(${first.color} on ${first.behind}), below 3:1.`,
      fix: 'Give the text and what is behind it colors that stay apart in this client, dark mode included.',
      source: SOURCE,
      where: { selector: first.selector, snippet: shortened(first.text) },
      ...(same.length > 1 && {
        count: same.length,
        places: same.slice(0, PLACES_MAX).map(({ selector, text }) => ({ selector, snippet: shortened(text) })),
      }),
      details: { box: first.box, ratio: first.ratio, color: first.color, behind: first.behind, size: first.size },
    };
  });
}

function textFindings({ overlaps, cuts }: Layout): Finding[] {
  return [
    ...overlaps.map(({ text, other, selector, box }): Finding => ({
      rule: 'picture/text-overlap',
      severity: 'error',
      message: `The text “${shortened(text)}” lies over the text “${shortened(other)}”.`,
      fix: 'Give the texts room of their own: check negative margins, fixed heights and positions.',
      source: SOURCE,
      where: { selector, snippet: shortened(text) },
      details: { box },
    })),
    ...cuts.map(({ text, lines, selector, box }): Finding => ({
      rule: 'picture/text-cut-off',
      severity: 'error',
      message: `The text “${shortened(text)}” is cut off: ${lines === 1 ? 'a line does' : `${lines} lines do`} not fit its box.`,
      fix: 'Let the box grow with its text: no fixed height or width where the overflow is hidden.',
      source: SOURCE,
      where: { selector, snippet: shortened(text) },
      details: { box, lines },
    })),
  ];
}

function nameOfImage({ alt, url }: Layout['images'][number]): string {
  return alt ? `“${shortened(alt)}”` : shortened(url.replace(/^data:.*/s, 'in the message itself'));
}

function placeOfImage({ selector, url }: Layout['images'][number]) {
  return { selector, snippet: shortened(url) };
}

/** One finding for all images that are missing: their cause is mostly one. */
function missingImages(missing: Layout['images']): Finding[] {
  const [first] = missing;
  if (first === undefined) return [];
  const others = missing.length - 1;
  return [
    {
      rule: 'picture/image-missing',
      severity: 'error',
      message:
        `The image ${nameOfImage(first)}${others > 0 ? ` and ${others} more are` : ' is'} not shown: ` +
        `${others > 0 ? 'they' : 'it'} did not load, or this client can't read the format.`,
      fix: 'Check the addresses of the images and their formats.',
      source: SOURCE,
      where: placeOfImage(first),
      ...(others > 0 && { count: missing.length, places: missing.slice(0, PLACES_MAX).map(placeOfImage) }),
      details: { box: first.box, url: first.url },
    },
  ];
}

function stretchedImage(image: Layout['images'][number]): Finding {
  const { box, url, natural, shown } = image;
  const [width = 0, height = 0] = shown ?? [];
  return {
    rule: 'picture/image-stretched',
    severity: 'warning',
    message:
      `The image ${nameOfImage(image)} is stretched: it is ${natural?.join(' × ')} px and is shown in ` +
      `${Math.round(width)} × ${Math.round(height)} px.`,
    fix: 'Set one of width and height and leave the other to the client (height: auto).',
    source: SOURCE,
    where: placeOfImage(image),
    details: { box, url, natural, shown },
  };
}

function imageFindings(images: Layout['images']): Finding[] {
  return [
    ...missingImages(images.filter(({ fault }) => fault === 'missing')),
    ...images.filter(({ fault }) => fault === 'stretched').map(stretchedImage),
  ];
}

function widthFindings({ layout, isPhone }: PictureFacts): Finding[] {
  if (!layout || !isPhone || layout.width <= layout.viewportWidth + 1) return [];
  const { width, viewportWidth, widest } = layout;
  return [
    {
      rule: 'picture/too-wide',
      severity: 'warning',
      message:
        `The message is ${width} px wide on a screen of ${viewportWidth} px: readers scroll sideways, or see it ` +
        `shrunk to ${Math.round((viewportWidth / width) * 100)} %.`,
      fix: 'Let the widest part shrink with the screen (max-width: 100%).',
      source: SOURCE,
      ...(widest && { where: { selector: widest.selector } }),
      details: { width, screen: viewportWidth },
    },
  ];
}

/**
 * The faults of one picture, the gravest first, equal ones joined, at most 20. Nothing found is not proof of none: only
 * what was measured is judged.
 */
export function judgePicture(facts: PictureFacts): Finding[] {
  const { layout, clippedCharacters, images } = facts;
  const found: Finding[] = [
    ...(clippedCharacters
      ? [
          {
            rule: 'picture/clipped',
            severity: 'error' as const,
            message:
              'The message is too long for this client, which does not show ' +
              `${clippedCharacters.toLocaleString('en-US')} characters of its text.`,
            fix: 'Keep the HTML below 102 KB.',
            details: { characters: clippedCharacters },
          },
        ]
      : []),
    ...(layout ? contrastFindings(layout.contrasts) : []),
    ...(layout ? textFindings(layout) : []),
    ...(layout && images ? imageFindings(layout.images) : []),
    ...widthFindings(facts),
  ];
  const grave = (one: Finding): number => (one.severity === 'error' ? 0 : 1);
  return onePerCause(found)
    .toSorted((one, other) => grave(one) - grave(other))
    .slice(0, FINDINGS_MAX);
}
