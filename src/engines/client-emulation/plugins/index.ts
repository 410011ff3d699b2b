// The behaviors that a client may name in data/clients beyond the feature table.

import type { Plugin } from '../working-document.ts';
import { appleMailIosPlugin, appleMailMacPlugin } from './apple-mail.ts';
import { fitWidthPlugin } from './fit-width.ts';
import { gmailImapPlugin, gmailPlainPlugin, gmailPlugin } from './gmail.ts';
import { outlookMobilePlugin } from './outlook-mobile.ts';
import { outlookWebPlugin } from './outlook-web.ts';
import { samsungPlugin } from './samsung.ts';
import { thunderbirdPlugin } from './thunderbird.ts';
import {
  bodyRemovedPlugin,
  bodyToDivPlugin,
  fastmailPlugin,
  freeFrPlugin,
  ionosPlugin,
  orangePlugin,
  protonPlugin,
  tonlinePlugin,
  unitedInternetPlugin,
} from './webmail.ts';
import { word120DpiPlugin } from './word-120dpi.ts';
import { wordPlugin } from './word.ts';
import { yahooPlugin } from './yahoo.ts';

/** Plug-ins by the name that `ClientProfile.plugins` uses. */
export const plugins: Readonly<Record<string, Plugin>> = {
  'apple-mail-ios': appleMailIosPlugin,
  'apple-mail-mac': appleMailMacPlugin,
  'body-removed': bodyRemovedPlugin,
  'body-to-div': bodyToDivPlugin,
  fastmail: fastmailPlugin,
  'fit-width': fitWidthPlugin,
  'free-fr': freeFrPlugin,
  gmail: gmailPlugin,
  'gmail-imap': gmailImapPlugin,
  'gmail-plain': gmailPlainPlugin,
  ionos: ionosPlugin,
  orange: orangePlugin,
  'outlook-mobile': outlookMobilePlugin,
  'outlook-web': outlookWebPlugin,
  proton: protonPlugin,
  samsung: samsungPlugin,
  thunderbird: thunderbirdPlugin,
  tonline: tonlinePlugin,
  'united-internet': unitedInternetPlugin,
  word: wordPlugin,
  'word-120dpi': word120DpiPlugin,
  yahoo: yahooPlugin,
};
