import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const ink: MantineColorsTuple = [
  '#f4f1ea',
  '#e9e5dc',
  '#cfc9bd',
  '#b1aa9c',
  '#8c8577',
  '#6b655a',
  '#514c43',
  '#38342e',
  '#24211d',
  '#171512',
];
/** The proof-reader's pencil. Kept for marks: what is wrong, what differs, where the reader is. */
const red: MantineColorsTuple = [
  '#fdf0ec',
  '#fadcd3',
  '#f4b6a5',
  '#ee8d73',
  '#e8694a',
  '#e1502d',
  '#d2391b',
  '#b52d12',
  '#98240d',
  '#7b1c09',
];
const gray: MantineColorsTuple = [
  '#faf8f3',
  '#f3f0e9',
  '#e8e4da',
  '#dcd7cb',
  '#c9c3b5',
  '#a9a294',
  '#7f796c',
  '#5f5a50',
  '#3d3932',
  '#24211d',
];
const dark: MantineColorsTuple = [
  '#efebe2',
  '#cfc9bd',
  '#a8a194',
  '#7d766a',
  '#4a453c',
  '#353129',
  '#262420',
  '#201e1b',
  '#171614',
  '#0f0e0d',
];

/** Ink on paper, and paper on ink: in the dark theme the filled buttons are the light ones. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const isInk = input.color === undefined || input.color === 'ink';
  const border = '1px solid transparent';
  if (isInk && input.variant === 'filled')
    return { background: 'var(--ink)', hover: 'var(--ink-soft)', color: 'var(--paper)', border };
  if (isInk && input.variant === 'subtle')
    return { background: 'transparent', hover: 'var(--hover)', color: 'var(--ink)', border };
  if (input.color === 'red' && input.variant === 'filled')
    return {
      background: 'var(--red-ink)',
      hover: 'color-mix(in srgb, var(--red-ink) 88%, var(--ink))',
      color: 'var(--paper)',
      border,
    };
  if (input.color === 'red' && input.variant === 'subtle')
    return { background: 'transparent', hover: 'var(--red-wash)', color: 'var(--red-ink)', border };
  if (input.color === 'red' && input.variant === 'light')
    return { background: 'var(--red-wash)', hover: 'var(--red-wash)', color: 'var(--red-ink)', border };
  if (input.color === 'yellow' && input.variant === 'light')
    return { background: 'var(--amber-wash)', hover: 'var(--amber-wash)', color: 'var(--amber-ink)', border };
  return defaultVariantColorsResolver(input);
};

const heading = { fontFamily: 'var(--font-serif)', fontWeight: 600, fontSize: 20 };

/** The heading of a dialog is no banner of the page. */
const dialog = {
  overlayProps: { backgroundOpacity: 0.35 },
  closeButtonProps: { 'aria-label': 'Close' },
  attributes: { header: { role: 'presentation' } },
};

export const theme = createTheme({
  variantColorResolver,
  colors: { ink, red, gray, dark },
  primaryColor: 'ink',
  primaryShade: { light: 8, dark: 1 },
  black: '#1d1b18',
  autoContrast: true,
  luminanceThreshold: 0.35,
  fontFamily: 'var(--font-sans)',
  fontFamilyMonospace: 'var(--font-mono)',
  headings: {
    fontFamily: 'var(--font-serif)',
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '30px', lineHeight: '1.18' },
      h2: { fontSize: '21px', lineHeight: '1.25' },
      h3: { fontSize: '17px', lineHeight: '1.3' },
    },
  },
  fontSizes: { xs: '12px', sm: '13.5px', md: '15px', lg: '17px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  radius: { xs: '2px', sm: '3px', md: '4px', lg: '6px', xl: '10px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Badge: { styles: { root: { textTransform: 'none' } } },
    Button: { defaultProps: { size: 'sm' }, styles: { label: { fontWeight: 600 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'ink', size: 34 } },
    Anchor: { defaultProps: { underline: 'always', c: 'var(--ink)' } },
    Checkbox: { defaultProps: { color: 'var(--ink)', iconColor: 'var(--paper)' } },
    Radio: { defaultProps: { color: 'var(--ink)', iconColor: 'var(--paper)' } },
    Switch: { defaultProps: { color: 'var(--ink)', withThumbIndicator: false } },
    Input: { defaultProps: { size: 'sm' } },
    Loader: { defaultProps: { role: 'status' } },
    Menu: {
      defaultProps: { shadow: 'md', position: 'bottom-end', withinPortal: false, withInitialFocusPlaceholder: false },
    },
    Modal: { defaultProps: { ...dialog, centered: true }, styles: { title: heading } },
    Drawer: { defaultProps: dialog, styles: { title: heading } },
    Popover: { defaultProps: { returnFocus: true } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 350, withArrow: true, arrowSize: 6, fz: 12 } },
  },
});

const surfaces = {
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--ink-dim)',
  '--mantine-color-placeholder': 'var(--ink-dim)',
  '--mantine-color-default': 'var(--sheet)',
  '--mantine-color-default-hover': 'var(--wash)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--rule-strong)',
  '--mantine-color-error': 'var(--red-ink)',
  '--mantine-color-anchor': 'var(--ink)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: surfaces, dark: surfaces });
