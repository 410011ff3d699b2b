// Every rule of our own, in the order of reports.

import type { EmailRule } from '../types.ts';
import { colorContrast, contrastImagesBlocked } from './contrast.ts';
import { ariaHiddenContent, documentTitle, metaViewport, plainText, positiveTabindex, subjectEmoji, titleAttribute, titleSubject } from './document.ts';
import { emptyHeading, headingFake, headingMissing, headingOne, headingOrder } from './headings.ts';
import { backgroundImageAlt, imageAlt, imageAltLength, imageAltQuality, imageOnly, imageRedundantAlt, spacerAlt, vmlAlt } from './images.ts';
import { htmlHasDir, htmlHasLang, htmlLangValid, validLang, wrapperDir, wrapperLang } from './language.ts';
import { linkInTextBlock, linkName, linkTextAddress, linkTextAmbiguous, linkTextGeneric, linkWithoutTarget, targetSizeEnhanced, targetSizeMinimum } from './links.ts';
import { animatedImage, autoplay, blink, endlessAnimation, flashingImage, marquee } from './motion.ts';
import { dataTableHeaders, layoutTableMarkup, layoutTableRole, thScope } from './tables.ts';
import { lineHeight, listFake, paragraphBreaks, preheaderHidden, textAllCaps, textCentred, textJustify, textSize, textSpacing } from './text.ts';

export const EMAIL_RULES: readonly EmailRule[] = [
  htmlHasLang, htmlLangValid, validLang, wrapperLang, htmlHasDir, wrapperDir, documentTitle, titleSubject, metaViewport, plainText, subjectEmoji,
  imageAlt, imageAltQuality, spacerAlt, imageAltLength, imageRedundantAlt, backgroundImageAlt, vmlAlt, imageOnly, animatedImage, flashingImage,
  layoutTableRole, layoutTableMarkup, dataTableHeaders, thScope,
  headingMissing, headingOne, headingOrder, emptyHeading, headingFake, paragraphBreaks, listFake,
  linkName, linkTextGeneric, linkTextAmbiguous, linkTextAddress, linkWithoutTarget, linkInTextBlock, targetSizeMinimum, targetSizeEnhanced,
  colorContrast, contrastImagesBlocked, textSize, lineHeight, textJustify, textCentred, textSpacing, textAllCaps,
  preheaderHidden, ariaHiddenContent, titleAttribute, positiveTabindex, marquee, blink, autoplay, endlessAnimation,
];
