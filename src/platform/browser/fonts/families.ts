// Which of the installed font packages are used, at which weights, and from which of their files.

export type FontWeight = 300 | 400 | 500 | 600 | 700;

export interface FontFamily {
  /** An @fontsource package: one woff file per script, weight and style. */
  packageName: string;
  /** The family's name for fontconfig. */
  family: string;
  weights: readonly FontWeight[];
  styles: readonly ('normal' | 'italic')[];
  /** Scripts to take, the first with the layout rules. Default: all, Latin first. */
  scripts?: readonly string[];
}

export interface VariableFamily {
  /** An @fontsource-variable package: a hundred woff2 slices with one weight axis. */
  packageName: string;
  /** The family's name for fontconfig. */
  family: string;
  weights: readonly FontWeight[];
}

const BOTH = ['normal', 'italic'] as const;
const UPRIGHT = ['normal'] as const;
const USUAL = [400, 700] as const;

/** Metric twins and look-alikes of what emails ask for, then one family for each script that those lack. */
export const FONT_FAMILIES: readonly FontFamily[] = [
  { packageName: '@fontsource/arimo', family: 'Arimo', weights: USUAL, styles: BOTH },
  { packageName: '@fontsource/tinos', family: 'Tinos', weights: USUAL, styles: BOTH },
  { packageName: '@fontsource/cousine', family: 'Cousine', weights: USUAL, styles: BOTH },
  { packageName: '@fontsource/carlito', family: 'Carlito', weights: USUAL, styles: BOTH },
  { packageName: '@fontsource/caladea', family: 'Caladea', weights: USUAL, styles: BOTH },
  { packageName: '@fontsource/gelasio', family: 'Gelasio', weights: USUAL, styles: BOTH },
  { packageName: '@fontsource/dejavu-sans', family: 'DejaVu Sans', weights: USUAL, styles: BOTH },
  { packageName: '@fontsource/dejavu-serif', family: 'DejaVu Serif', weights: USUAL, styles: UPRIGHT },
  { packageName: '@fontsource/dejavu-mono', family: 'DejaVu Sans Mono', weights: USUAL, styles: UPRIGHT },
  { packageName: '@fontsource/comic-neue', family: 'Comic Neue', weights: USUAL, styles: BOTH },
  { packageName: '@fontsource/open-sans', family: 'Open Sans', weights: [300, 400, 600, 700], styles: BOTH },
  { packageName: '@fontsource/roboto', family: 'Roboto', weights: [300, 400, 500, 700], styles: BOTH },
  {
    packageName: '@fontsource/noto-sans-arabic',
    family: 'Noto Sans Arabic',
    weights: USUAL,
    styles: UPRIGHT,
    scripts: ['arabic'],
  },
  {
    packageName: '@fontsource/noto-sans-hebrew',
    family: 'Noto Sans Hebrew',
    weights: USUAL,
    styles: UPRIGHT,
    scripts: ['hebrew'],
  },
  {
    packageName: '@fontsource/noto-sans-thai',
    family: 'Noto Sans Thai',
    weights: USUAL,
    styles: UPRIGHT,
    scripts: ['thai'],
  },
  {
    packageName: '@fontsource/noto-sans-devanagari',
    family: 'Noto Sans Devanagari',
    weights: USUAL,
    styles: UPRIGHT,
    scripts: ['devanagari'],
  },
  {
    packageName: '@fontsource/noto-color-emoji',
    family: 'Noto Color Emoji',
    weights: [400],
    styles: UPRIGHT,
    scripts: ['emoji'],
  },
];

export const VARIABLE_FAMILIES: readonly VariableFamily[] = [
  { packageName: '@fontsource-variable/noto-sans-sc', family: 'Noto Sans SC', weights: [400, 700] },
  { packageName: '@fontsource-variable/noto-sans-jp', family: 'Noto Sans JP', weights: [400, 700] },
  { packageName: '@fontsource-variable/noto-sans-kr', family: 'Noto Sans KR', weights: [400, 700] },
];
