// An SVG image runs its animations in a document of its own, where nothing can put them to rest. So they are taken out.
import type { Asset } from './types.ts';

const ANIMATING_TAG = /<(\/?)([\w-]+:)?(animate|animateMotion|animateTransform|animateColor|set)(?=[\s/>])/g;
const STILL = '<style>*,*::before,*::after{animation:none!important;transition:none!important}</style>';

export function isSvg(asset: Asset): boolean {
  return /^image\/svg\+xml\b/i.test(asset.contentType);
}

/** The image without SMIL elements (an unknown element draws nothing) and CSS animations. UTF-8 in and out. */
export function stillSvg(body: Buffer): Buffer {
  const text = body.toString('utf8').replace(ANIMATING_TAG, '<$1$2still-$3');
  const end = text.lastIndexOf('</svg');
  return Buffer.from(end === -1 ? text : `${text.slice(0, end)}${STILL}${text.slice(end)}`);
}
