// The clients of the data by name and kind.

import caniemail from '../../../data/caniemail/caniemail.json' with { type: 'json' };

export type ApplicationType = 'web' | 'mobile' | 'desktop';

const names = caniemail.nicenames as {
  family: Record<string, string>;
  platform: Record<string, string>;
  category: Record<string, string>;
};

const applicationTypes: Record<string, ApplicationType> = {
  'desktop-app': 'desktop',
  windows: 'desktop',
  macos: 'desktop',
  'windows-mail': 'desktop',
  'desktop-webmail': 'web',
  'mobile-webmail': 'web',
  webmail: 'web',
  'outlook-com': 'web',
  ios: 'mobile',
  android: 'mobile',
};

/** The kind of application by platform: `android` is mobile, webmail in any browser is web. */
export function applicationTypeOf(platform: string): ApplicationType {
  return applicationTypes[platform] ?? 'desktop';
}

export const familyNames: Readonly<Record<string, string>> = names.family;
export const platformNames: Readonly<Record<string, string>> = names.platform;
export const categoryNames: Readonly<Record<string, string>> = names.category;
export const applicationTypeByPlatform: Readonly<Record<string, ApplicationType>> = applicationTypes;

/** `Outlook (Windows)`, and `Outlook 2016 (Windows)` with a version that is a year. */
export function clientName({
  family,
  platform,
  version = '',
}: {
  family: string;
  platform: string;
  version?: string;
}): string {
  const name = names.family[family] ?? family;
  return `${name}${version ? ` ${version}` : ''} (${names.platform[platform] ?? platform})`;
}
