// The behaviors that a client may name in data/clients beyond the feature table.

import type { Plugin } from '../working-document.ts';
import { appleMailIosPlugin } from './apple-mail.ts';
import { fitWidthPlugin } from './fit-width.ts';
import { gmailImapPlugin, gmailPlainPlugin, gmailPlugin } from './gmail.ts';
import { outlookMobilePlugin } from './outlook-mobile.ts';
import { outlookWebPlugin } from './outlook-web.ts';
import { flattenedHeadPlugin, samsungPlugin } from './samsung.ts';
import { bodyRemovedPlugin, bodyToDivPlugin, freeFrPlugin, protonPlugin } from './webmail.ts';
import { word120DpiPlugin } from './word-120dpi.ts';
import { wordPlugin } from './word.ts';
import { yahooPlugin } from './yahoo.ts';

/** Plug-ins by the name that `ClientProfile.plugins` uses. */
export const plugins: Readonly<Record<string, Plugin>> = {
  'apple-mail-ios': appleMailIosPlugin,
  'body-removed': bodyRemovedPlugin,
  'body-to-div': bodyToDivPlugin,
  'fit-width': fitWidthPlugin,
  'flattened-head': flattenedHeadPlugin,
  'free-fr': freeFrPlugin,
  gmail: gmailPlugin,
  'gmail-imap': gmailImapPlugin,
  'gmail-plain': gmailPlainPlugin,
  'outlook-mobile': outlookMobilePlugin,
  'outlook-web': outlookWebPlugin,
  proton: protonPlugin,
  samsung: samsungPlugin,
  word: wordPlugin,
  'word-120dpi': word120DpiPlugin,
  yahoo: yahooPlugin,
};
