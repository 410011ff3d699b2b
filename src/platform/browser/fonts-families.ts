// Which of the installed font packages' files are used, and for what.

export interface FontFamily {
  packageName: string;
  /** Regular expressions of the woff files to take. */
  files: string[];
}

const COMMON = '-(400|700)-(normal|italic)\\.woff$';
const SEMI = '-(400|500|600|700)-(normal|italic)\\.woff$';

function whole(name: string, weights: string): FontFamily {
  return { packageName: `@fontsource/${name}`, files: [`^${name}-[a-z-]+${weights}`] };
}

export const FONT_FAMILIES: readonly FontFamily[] = [
  whole('arimo', COMMON),
  whole('tinos', COMMON),
  whole('cousine', COMMON),
  whole('carlito', COMMON),
  whole('caladea', COMMON),
  whole('gelasio', COMMON),
  whole('dejavu-sans', COMMON),
  whole('dejavu-serif', COMMON),
  whole('dejavu-mono', COMMON),
  whole('comic-neue', COMMON),
  whole('open-sans', SEMI),
  whole('roboto', SEMI),
  { packageName: '@fontsource/noto-color-emoji', files: ['^noto-color-emoji-emoji-400-normal\\.woff$'] },
  { packageName: '@fontsource/noto-sans-arabic', files: ['-arabic-(400|700)-normal\\.woff$'] },
  { packageName: '@fontsource/noto-sans-hebrew', files: ['-hebrew-(400|700)-normal\\.woff$'] },
  { packageName: '@fontsource/noto-sans-thai', files: ['-thai-(400|700)-normal\\.woff$'] },
  { packageName: '@fontsource/noto-sans-devanagari', files: ['-devanagari-(400|700)-normal\\.woff$'] },
];
