// Where each region is reached.

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
