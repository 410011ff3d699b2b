// Where each region is reached.
import type { Setting } from './settings.ts';

const REGIONS = ['us', 'eu'] as const;
export type Region = (typeof REGIONS)[number];
export type RegionUrls = Readonly<Partial<Record<Region, string>>>;

const isRegion = (name: string): name is Region => (REGIONS as readonly string[]).includes(name);

/**
 * `us=https://us.example.com,eu=https://eu.example.com`, without trailing slashes; undefined where it is anything else.
 */
export function readRegionUrls(text: string): RegionUrls | undefined {
  const urls: Partial<Record<Region, string>> = {};
  for (const entry of text.split(',')) {
    const [, name = '', url = ''] = /^\s*(\w+)\s*=\s*(https?:\/\/\S+?)\/*\s*$/.exec(entry) ?? [];
    if (!isRegion(name) || name in urls || !URL.canParse(url)) return undefined;
    urls[name] = url;
  }
  return urls;
}

const regionUrls = (text: string) =>
  readRegionUrls(text)
    ? undefined
    : 'give region=URL for us, eu or both, joined by commas, such as ' +
      'us=https://us.example.com,eu=https://eu.example.com.';

export const REGION_SETTINGS: readonly Setting[] = [
  {
    name: 'GALLEY_REGION',
    default: 'us',
    about: 'Region that this deployment serves, `us` or `eu`; records that carry a region carry this.',
    check: (text) => (text === 'us' || text === 'eu' ? undefined : 'give one of us, eu.'),
  },
  {
    name: 'GALLEY_REGION_URLS',
    default: '',
    about:
      'Where each region is reached, `us=https://…,eu=https://…`: named by the API’s description, and to callers ' +
      'whose account is of the other region.',
    check: regionUrls,
  },
];
