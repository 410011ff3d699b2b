// fonts.conf: only our folder, the usual names given to fonts of the same widths, fallbacks in a fixed order.

/** Family shown → families asked for. Metric twins where the font was made as one; the others are look-alikes. */
const ALIASES: Record<string, readonly string[]> = {
  Arimo: [
    'Arial',
    'Helvetica',
    'Helvetica Neue',
    'HelveticaNeue',
    'Liberation Sans',
    'sans-serif',
    'sans serif',
    'system-ui',
    'ui-sans-serif',
    '-apple-system',
    'BlinkMacSystemFont',
    'San Francisco',
    'SF Pro Text',
    'SF Pro Display',
    'Geneva',
    'Arial Unicode MS',
    'Nimbus Sans',
  ],
  Tinos: ['Times New Roman', 'Times', 'Times Roman', 'Liberation Serif', 'serif', 'ui-serif', 'Nimbus Roman'],
  Cousine: [
    'Courier New',
    'Courier',
    'Liberation Mono',
    'monospace',
    'ui-monospace',
    'Menlo',
    'Monaco',
    'Consolas',
    'Lucida Console',
    'SFMono-Regular',
  ],
  Carlito: ['Calibri', 'Aptos'],
  Caladea: ['Cambria'],
  Gelasio: ['Georgia'],
  'DejaVu Sans': ['Verdana', 'Tahoma', 'Lucida Grande', 'Lucida Sans Unicode', 'Lucida Sans', 'Bitstream Vera Sans'],
  'DejaVu Serif': ['Bitstream Vera Serif'],
  'DejaVu Sans Mono': ['Bitstream Vera Sans Mono', 'Andale Mono'],
  'Open Sans': ['Segoe UI', 'Trebuchet MS'],
  'Comic Neue': ['Comic Sans MS', 'Comic Sans', 'cursive', 'fantasy'],
  'Noto Color Emoji': ['emoji', 'Apple Color Emoji', 'Segoe UI Emoji', 'Android Emoji'],
  'Noto Sans JP': [
    'Hiragino Sans',
    'Hiragino Kaku Gothic ProN',
    'Hiragino Kaku Gothic Pro',
    'Yu Gothic',
    'YuGothic',
    'Meiryo',
    'MS PGothic',
    'MS Gothic',
    'Osaka',
    'Noto Sans CJK JP',
  ],
  'Noto Sans SC': [
    'PingFang SC',
    'Hiragino Sans GB',
    'Microsoft YaHei',
    'SimSun',
    'SimHei',
    'STHeiti',
    'PingFang TC',
    'PingFang HK',
    'Microsoft JhengHei',
    'PMingLiU',
    'Noto Sans CJK SC',
  ],
  'Noto Sans KR': [
    'Apple SD Gothic Neo',
    'Malgun Gothic',
    'Nanum Gothic',
    'NanumGothic',
    'Gulim',
    'Dotum',
    'Noto Sans CJK KR',
  ],
};

/** Faces that Windows lists as families of their own: [asked for, family shown, fontconfig weight]. */
const WEIGHT_ALIASES: readonly (readonly [string, string, string])[] = [
  ['Segoe UI Light', 'Open Sans', 'light'],
  ['Segoe UI Semilight', 'Open Sans', 'light'],
  ['Segoe UI Semibold', 'Open Sans', 'demibold'],
  ['Arial Black', 'Arimo', 'bold'],
  ['HelveticaNeue-Light', 'Arimo', 'regular'],
  ['Roboto Light', 'Roboto', 'light'],
  ['Roboto Medium', 'Roboto', 'medium'],
];

/**
 * Tried in this order for a character that the chosen family lacks. Noto Sans SC stands before its sisters because
 * Chinese text without a language mixes least in it; a `lang` attribute decides before this order does.
 */
const FALLBACKS = [
  'Arimo',
  'Noto Sans Arabic',
  'Noto Sans Hebrew',
  'Noto Sans Thai',
  'Noto Sans Devanagari',
  'Noto Sans SC',
  'Noto Sans JP',
  'Noto Sans KR',
  'DejaVu Sans',
  'Noto Color Emoji',
];

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function alias(name: string, family: string, weight?: string): string {
  return (
    `  <match target="pattern"><test qual="any" name="family" compare="eq"><string>${escapeXml(name)}</string></test>` +
    (weight === undefined ? '' : `<edit name="weight" mode="assign"><const>${weight}</const></edit>`) +
    `<edit name="family" mode="assign" binding="same"><string>${escapeXml(family)}</string></edit></match>`
  );
}

/** The text of a fontconfig configuration for the fonts in `fontsDir`, caching in `cacheDir` (absolute paths). */
export function fontsConf(fontsDir: string, cacheDir: string): string {
  const aliases = Object.entries(ALIASES).flatMap(([family, names]) => names.map((name) => alias(name, family)));
  const fallbacks = FALLBACKS.map((family) => `<string>${escapeXml(family)}</string>`).join('');
  return [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">',
    '<fontconfig>',
    `  <dir>${escapeXml(fontsDir)}</dir>`,
    `  <cachedir>${escapeXml(cacheDir)}</cachedir>`,
    ...WEIGHT_ALIASES.map(([name, family, weight]) => alias(name, family, weight)),
    ...aliases,
    `  <match target="pattern"><edit name="family" mode="append_last">${fallbacks}</edit></match>`,
    '  <match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit><edit name="autohint" ' +
      'mode="assign"><bool>false</bool></edit>' +
      '<edit name="hintstyle" mode="assign"><const>hintnone</const></edit><edit name="antialias" mode="assign">' +
      '<bool>true</bool></edit>' +
      '<edit name="rgba" mode="assign"><const>none</const></edit></match>',
    '</fontconfig>',
    '',
  ].join('\n');
}
