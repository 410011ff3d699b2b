// fonts.conf: only our folder, the usual names given to fonts of the same widths, fallbacks in a fixed order.

/** Family asked for → family shown. Metric-compatible where the font was made so; the others are look-alikes. */
const ALIASES: Record<string, string[]> = {
  Arimo: ['Arial', 'Helvetica', 'Helvetica Neue', 'HelveticaNeue', 'Liberation Sans', 'sans-serif', 'system-ui', '-apple-system', 'BlinkMacSystemFont', 'San Francisco', '.SF NS', 'SF Pro Text', 'Geneva', 'Arial Unicode MS'],
  Tinos: ['Times New Roman', 'Times', 'Liberation Serif', 'serif', 'Times Roman'],
  Cousine: ['Courier New', 'Courier', 'Liberation Mono', 'monospace', 'Menlo', 'Monaco', 'Consolas', 'Lucida Console'],
  Carlito: ['Calibri', 'Aptos'],
  Caladea: ['Cambria'],
  Gelasio: ['Georgia'],
  'DejaVu Sans': ['Verdana', 'Tahoma', 'Lucida Grande', 'Lucida Sans Unicode', 'Lucida Sans', 'Bitstream Vera Sans'],
  'DejaVu Serif': ['Bitstream Vera Serif'],
  'DejaVu Mono': ['Bitstream Vera Sans Mono', 'DejaVu Sans Mono'],
  'Open Sans': ['Segoe UI', 'Trebuchet MS'],
  'Comic Neue': ['Comic Sans MS', 'Comic Sans', 'cursive', 'fantasy'],
  'Noto Color Emoji': ['emoji', 'Apple Color Emoji', 'Segoe UI Emoji', 'Segoe UI Symbol', 'Android Emoji'],
};

/** Tried in this order for a character that the chosen family lacks. */
const FALLBACKS = ['Arimo', 'Noto Sans Arabic', 'Noto Sans Hebrew', 'Noto Sans Thai', 'Noto Sans Devanagari', 'Noto Sans SC', 'Noto Sans JP', 'Noto Sans KR', 'DejaVu Sans', 'Noto Color Emoji'];

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function alias(name: string, family: string): string {
  return `  <match target="pattern"><test qual="any" name="family" compare="eq"><string>${escapeXml(name)}</string></test>`
    + `<edit name="family" mode="assign" binding="same"><string>${escapeXml(family)}</string></edit></match>`;
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
    ...aliases,
    `  <match target="pattern"><edit name="family" mode="append_last">${fallbacks}</edit></match>`,
    '  <match target="font"><edit name="hinting" mode="assign"><bool>false</bool></edit><edit name="autohint" mode="assign"><bool>false</bool></edit>'
      + '<edit name="hintstyle" mode="assign"><const>hintnone</const></edit><edit name="antialias" mode="assign"><bool>true</bool></edit>'
      + '<edit name="rgba" mode="assign"><const>none</const></edit></match>',
    '</fontconfig>',
    '',
  ].join('\n');
}
