// What the bytes are against what they are said to be, how many there are, and who can show them.
import { decodeDataUrl } from './data-url.ts';
import { formatSupport, inlineSupport, type FormatSupport } from './format-support.ts';
import { nameOf, sizeText, type ImageSubject, type Rule, type Verdict } from './image-finding.ts';
import { formatOfMediaType, formatOfName } from './read-image.ts';
import type { ImageFacts } from './types.ts';

const BYTES_LARGE = 200_000;
const BYTES_TOO_LARGE = 1_000_000;

function isPage(contentType = ''): boolean {
  return contentType !== '' && !/^image\//i.test(contentType);
}

function whatElse(contentType: string | undefined): string {
  if (!contentType) return '';
  return isPage(contentType)
    ? `, but ${contentType.slice(0, 80)}`
    : `, although it is sent as ${contentType.slice(0, 80)}`;
}

/** A file that is no image, or a damaged one. */
export const judgeIntegrity: Rule = (subject) => {
  const { facts, load } = subject;
  if (!facts) return undefined;
  const name = nameOf(subject);
  const details = { type: facts.mediaType, bytes: facts.bytes, status: facts.status };
  const fix = 'Export and upload the image again.';
  switch (facts.status) {
    case 'empty':
      return {
        rule: 'not-an-image',
        severity: 'error',
        impact: 'critical',
        message: `${name} has no content.`,
        fix,
        details,
      };
    case 'not_an_image':
      return {
        rule: 'not-an-image',
        severity: 'error',
        impact: 'critical',
        message: `${name} is not an image${whatElse(load?.contentType)}.`,
        fix: isPage(load?.contentType) ? 'Use the address of the image itself, not of a page that shows it.' : fix,
        details,
      };
    case 'truncated':
      return {
        rule: 'damaged',
        severity: 'error',
        impact: 'serious',
        message: `${name} is cut off before its picture ends.`,
        fix,
        details,
      };
    case 'corrupt':
      return {
        rule: 'damaged',
        severity: 'error',
        impact: 'serious',
        message: `${name} breaks the rules of its format; clients may show nothing.`,
        fix,
        details,
      };
    default:
      return subject.isUndecodable
        ? {
            rule: 'damaged',
            severity: 'error',
            impact: 'serious',
            message: `${name} cannot be decoded; clients may show nothing, or half of it.`,
            fix,
            details,
          }
        : { rule: 'damaged', severity: 'pass', message: 'The file is whole.', details };
  }
};

/** Everything that was read of the file, as one informational finding. */
export const reportProperties: Rule = (subject) => {
  const { facts, load } = subject;
  if (!facts || facts.format === null) return undefined;
  const { width, height, format, bytes } = facts;
  const frames = facts.isAnimated ? `, ${facts.frames} frames` : '';
  return {
    rule: 'properties',
    severity: 'info',
    message: `${format.toUpperCase()}, ${width} × ${height} pixels, ${sizeText(bytes)}${frames}.`,
    details: { ...propertiesOf(facts), load_time_ms: load?.loadTimeMs ?? null },
  };
};

/** The report's fields in the words of the API. */
function propertiesOf(facts: ImageFacts): Record<string, unknown> {
  return {
    dimensions: `${facts.width}x${facts.height}`,
    width: facts.width,
    height: facts.height,
    format: facts.format,
    type: facts.mediaType,
    bytes: facts.bytes,
    color_depth: facts.colourDepthBits,
    palette_colors: facts.paletteColours,
    color_space: facts.colourSpace,
    transparency: facts.transparency,
    progressive: facts.isProgressive,
    density_dpi: facts.densityDpi,
    color_profile: facts.hasProfile,
    animated: facts.isAnimated,
    ...(facts.isAnimated && {
      frame_count: facts.frames,
      animation_duration_ms: facts.durationMs,
      played_duration_ms: facts.asPlayedDurationMs,
      loops: facts.loops,
    }),
  };
}

/** Extension and Content-Type against the bytes. */
export const judgeType: Rule = ({ url, facts, load }) => {
  if (!facts?.format) return undefined;
  const verdicts: Verdict[] = [];
  const { format, mediaType } = facts;
  const named = /^(?:data|cid):/i.test(url) ? undefined : formatOfName(url);
  if (named !== undefined) {
    verdicts.push(
      named === format
        ? { rule: 'extension', severity: 'pass', message: `The extension says ${named}, and so do the bytes.` }
        : {
            rule: 'extension',
            severity: 'warning',
            impact: 'minor',
            message: `The name ends like a ${named} file, but the bytes are ${format}.`,
            fix: `Give it the extension of ${format}, or convert it.`,
            details: { extension: named, type: mediaType },
          },
    );
  }
  const declared = load?.contentType ?? decodeDataUrl(url)?.mediaType;
  if (declared !== undefined)
    verdicts.push(declaredVerdict({ declared, who: /^(?:data|cid):/i.test(url) ? 'message' : 'server' }, facts));
  return verdicts;
};

function declaredVerdict(
  { declared, who }: { declared: string; who: string },
  { format, mediaType }: ImageFacts,
): Verdict {
  const details = { content_type: declared, type: mediaType };
  const rule = 'content-type';
  if (formatOfMediaType(declared) === format)
    return { rule, severity: 'pass', message: `The ${who} says ${declared}, and so do the bytes.`, details };
  const fix = `Send Content-Type: ${mediaType}.`;
  if (/^\s*image\//i.test(declared))
    return {
      rule,
      severity: 'warning',
      impact: 'moderate',
      message: `The ${who} says ${declared.slice(0, 80)}, but the bytes are ${mediaType}.`,
      fix,
      details,
    };
  return {
    rule,
    severity: 'error',
    impact: 'serious',
    message:
      `The ${who} says ${declared.slice(0, 80) || 'nothing about the type'}, so that strict ` +
      'clients do not show the image.',
    fix,
    details,
  };
}

/** Size of the file, and of the picture in it. */
export const judgeBytes: Rule = (subject) => {
  const { facts } = subject;
  if (!facts?.format) return undefined;
  const details = { bytes: facts.bytes, dimensions: `${facts.width}x${facts.height}` };
  const verdicts: Verdict[] = [];
  if (facts.isOverLimit) {
    verdicts.push({
      rule: 'pixels',
      severity: 'error',
      impact: 'critical',
      message:
        `${nameOf(subject)} unfolds to ${facts.width} × ${facts.height} ` +
        `pixels${facts.isAnimated ? ` in ${facts.frames} frames` : ''}, which brings phones down.`,
      fix: 'Scale it to the size it is shown at, twice that at most.',
      details,
    });
  }
  const isLarge = facts.bytes > BYTES_LARGE;
  const isTooLarge = facts.bytes > BYTES_TOO_LARGE;
  verdicts.push(
    isLarge
      ? {
          rule: 'bytes',
          severity: isTooLarge ? 'error' : 'warning',
          impact: isTooLarge ? 'serious' : 'moderate',
          message: `${nameOf(subject)} weighs ${sizeText(facts.bytes)}.`,
          fix: `Optimize it to less than ${sizeText(BYTES_LARGE)}.`,
          details,
        }
      : { rule: 'bytes', severity: 'pass', message: `It weighs ${sizeText(facts.bytes)}.`, details },
  );
  return verdicts;
};

/** Which clients show the format, from caniemail. */
export const judgeFormat: Rule = (subject) => {
  const { facts, url } = subject;
  if (!facts?.format) return undefined;
  const support = formatSupport(facts.format, facts);
  const what = `${facts.isAnimated ? 'animated ' : ''}${facts.format.toUpperCase()}`;
  const verdicts = [
    supportVerdict({
      rule: 'format',
      what,
      support,
      fix: facts.isAnimated ? 'Use an animated GIF.' : facts.hasAlpha ? 'Use PNG.' : 'Use JPEG or PNG.',
    }),
  ];
  if (/^data:/i.test(url))
    verdicts.push(
      supportVerdict({
        rule: 'inline-data',
        what: 'images written into the message',
        support: inlineSupport(),
        fix: 'Put the image on a server, or attach it and refer to it by cid:.',
      }),
    );
  return verdicts;
};

function supportVerdict({
  rule,
  what,
  support,
  fix,
}: {
  rule: string;
  what: string;
  support: FormatSupport;
  fix: string;
}): Verdict {
  const { unsupported, partial, knownCount, source } = support;
  const details = { unsupported, partial, known_clients: knownCount };
  if (unsupported.length > 0) {
    const isMost = unsupported.length > knownCount / 3;
    return {
      rule,
      severity: isMost || rule === 'inline-data' ? 'error' : 'warning',
      impact: isMost ? 'critical' : 'serious',
      fix,
      source,
      details,
      clients: unsupported,
      message: `${unsupported.length} of ${knownCount} clients do not show ${what}.`,
    };
  }
  if (partial.length > 0) {
    const clients = partial.map(({ client }) => client);
    return {
      rule,
      severity: 'info',
      impact: 'minor',
      fix,
      source,
      details,
      clients,
      message: `${partial.length} of ${knownCount} clients show ${what} in part: ${partial[0]!.note || 'see the data'}`,
    };
  }
  return { rule, severity: 'pass', message: `All ${knownCount} known clients show ${what}.`, source };
}

/** Colors and orientations that old clients get wrong. */
export const judgeEncoding: Rule = (subject: ImageSubject) => {
  const { facts } = subject;
  if (!facts?.format) return undefined;
  const verdicts: Verdict[] = [];
  const name = nameOf(subject);
  if (facts.colourSpace === 'cmyk')
    verdicts.push({
      rule: 'color-space',
      severity: 'warning',
      impact: 'serious',
      message: `${name} is in CMYK, the color space of print: clients show wrong colors or nothing.`,
      fix: 'Export it as sRGB.',
      details: { color_space: 'cmyk' },
    });
  if (facts.orientation !== 1)
    verdicts.push({
      rule: 'orientation',
      severity: 'warning',
      impact: 'moderate',
      message:
        `${name} is rotated by an EXIF tag (orientation ${facts.orientation}), which some ` +
        'desktop clients do not read.',
      fix: 'Rotate the pixels themselves; optimizing does that.',
      details: { exif_orientation: facts.orientation },
    });
  return verdicts;
};
