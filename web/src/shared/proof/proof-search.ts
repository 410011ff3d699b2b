// The search parameters of a test page: the filters, and the screenshot that is shown.

const DEVICES = ['desktop', 'web', 'mobile'] as const;
export type Device = (typeof DEVICES)[number];
export type Scheme = 'light' | 'dark';

export interface ProofSearch {
  q?: string;
  family?: string[];
  device?: Device;
  scheme?: Scheme;
  /** One card for each distinct picture. */
  distinct?: true;
  /** Only clients in whose pictures problems were measured. */
  problems?: true;
  /** Clients by the readers that their problems concern, the most first. */
  sort?: 'lost';
  /** The screenshot that is shown: `default`, `no_images` or `horizontal`. */
  shot?: string;
}

export const MODES = ['side', 'difference', 'wipe', 'fade'] as const;
export type CompareMode = (typeof MODES)[number];

export interface CompareSearch {
  a?: string;
  b?: string;
  mode?: CompareMode;
}

type Given = Record<string, unknown>;

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
}

function oneOf<Value extends string>(values: readonly Value[], value: unknown): Value | undefined {
  return values.find((candidate) => candidate === value);
}

/** Drops what is not given, so that addresses stay short. */
function given<Fields extends object>(fields: { [Name in keyof Fields]: Fields[Name] | undefined }): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

export function readProofSearch(search: Given): ProofSearch {
  const families = Array.isArray(search['family']) ? search['family'].filter((name) => typeof name === 'string') : [];
  return given<ProofSearch>({
    q: text(search['q']),
    family: families.length ? families : undefined,
    device: oneOf(DEVICES, search['device']),
    scheme: oneOf(['light', 'dark'], search['scheme']),
    distinct: search['distinct'] === true ? true : undefined,
    problems: search['problems'] === true ? true : undefined,
    sort: oneOf(['lost'], search['sort']),
    shot: text(search['shot']),
  });
}

export function readCompareSearch(search: Given): CompareSearch {
  return given<CompareSearch>({ a: text(search['a']), b: text(search['b']), mode: oneOf(MODES, search['mode']) });
}
