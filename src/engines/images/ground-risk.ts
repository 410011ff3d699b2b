// Whether an image with transparent parts stays visible on what clients put behind it.
import { parseColor, toLab, type Color } from '../color/index.ts';
import { CLIENTS, darkRuleOf } from '../client-emulation/index.ts';
import type { PixelFacts } from './types.ts';

/** Contrast below this is hardly seen; WCAG asks for 3 of what must be understood, and exempts logos. */
const CONTRAST_MIN = 2;
/** Less transparency than this is a rounded corner, not a logo without a ground. */
const TRANSPARENT_SHARE_MIN = 0.05;
const LOST_SHARE = 0.5;
const LOST_SHARE_PARTLY = 0.2;

export interface GroundRisk {
  /** `lost`: contour and inside both vanish. `partly`: the contour does, and some of the inside. */
  verdict: 'safe' | 'partly' | 'lost';
  /** Of the contour against transparency, and of all that is visible, how much has a contrast below 2:1. */
  contourLostShare: number;
  visibleLostShare: number;
}

/** Relative luminance (WCAG 2) of a CIE lightness. */
function luminanceOf(lightness: number): number {
  return lightness > 8 ? ((lightness + 16) / 116) ** 3 : (lightness * 27) / 24389;
}

function lostShare(histogram: readonly number[], ground: number): number {
  let share = 0;
  histogram.forEach((part, lightness) => {
    const own = luminanceOf(lightness);
    const contrast = (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
    if (contrast < CONTRAST_MIN) share += part;
  });
  return Math.round(share * 1000) / 1000;
}

/** How an image fares on one ground. Always safe when (next to) nothing of it is transparent. */
export function groundRisk(pixels: PixelFacts, ground: Color): GroundRisk {
  if (pixels.transparentShare < TRANSPARENT_SHARE_MIN || pixels.contourShare === 0)
    return { verdict: 'safe', contourLostShare: 0, visibleLostShare: 0 };
  const luminance = luminanceOf(toLab(ground).l);
  const [contourLostShare, visibleLostShare] = [
    lostShare(pixels.contour, luminance),
    lostShare(pixels.lightness, luminance),
  ];
  const isLost = contourLostShare >= LOST_SHARE && visibleLostShare >= LOST_SHARE;
  const isPartly = contourLostShare >= LOST_SHARE && visibleLostShare >= LOST_SHARE_PARTLY;
  return { verdict: isLost ? 'lost' : isPartly ? 'partly' : 'safe', contourLostShare, visibleLostShare };
}

interface DarkGround {
  client: string;
  /** What the client's dark mode makes of the color behind the image. */
  ground: Color;
}

/** The grounds that clients which change colors in dark mode put in place of `behind`. */
export function darkGrounds(behind: string): DarkGround[] {
  const color = parseColor(behind);
  if (!color) return [];
  return CLIENTS.filter(({ colorScheme }) => colorScheme === 'dark').flatMap((client) => {
    const rule = darkRuleOf(client);
    return rule ? [{ client: client.displayName, ground: rule.background(color) ?? color }] : [];
  });
}
