// Every claim.
import type { Claim } from '../types.ts';
import { apple, appleDark } from './apple.ts';
import { everyone } from './everyone.ts';
import { gmail, gmailDark } from './gmail.ts';
import { outlookApps, outlookAppsDark, outlookWeb, outlookWebDark } from './outlook.ts';
import { samsung, thunderbird, thunderbirdDark } from './samsung-thunderbird.ts';
import { eastern, fastmail, french, german, hey, proton } from './webmail.ts';
import { wordComments, wordText, wordVml } from './word.ts';
import { wordBoxes, wordDark } from './word-boxes.ts';
import { yahoo } from './yahoo.ts';

export const CLAIMS: readonly Claim[] = [
  ...wordComments,
  ...wordText,
  ...wordVml,
  ...wordBoxes,
  ...wordDark,
  ...gmail,
  ...gmailDark,
  ...outlookWeb,
  ...outlookWebDark,
  ...outlookApps,
  ...outlookAppsDark,
  ...apple,
  ...appleDark,
  ...yahoo,
  ...samsung,
  ...thunderbird,
  ...thunderbirdDark,
  ...proton,
  ...fastmail,
  ...hey,
  ...german,
  ...french,
  ...eastern,
  ...everyone,
];
