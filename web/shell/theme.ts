import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, virtualColor } from '@mantine/core';
import { maxWidths } from '../ui/breakpoints.ts';

/** Deep blue, the color of the light theme's controls. Index 8 fills them. */
const ink: MantineColorsTuple = [
  '#eef1f6',
  '#dbe1eb',
  '#b9c4d6',
  '#93a3bd',
  '#6c80a0',
  '#4d6386',
  '#374d70',
  '#2a3e5f',
  '#1d2f4b',
  '#2d456b',
];

/** The accent, and the color of the dark theme's controls. Index 7 fills them, 8 is for hovering. */
const amber: MantineColorsTuple = [
  '#fff6e3',
  '#ffe9bf',
  '#fbd58f',
  '#f9cc7b',
  '#f7c46a',
  '#f4bb5b',
  '#f2b552',
  '#f0b04a',
  '#f6c270',
  '#fbd08a',
];

/** Warm grays for the light theme: paper, rules and quiet text. */
const gray: MantineColorsTuple = [
  '#faf7f0',
  '#f3eee3',
  '#ece5d6',
  '#ded5c2',
  '#c8bda6',
  '#a1988a',
  '#7b756c',
  '#565c66',
  '#3b424d',
  '#232a35',
];

/** Ink for the dark theme. The first colors are for text; index 7 is the page background. */
const dark: MantineColorsTuple = [
  '#ece6da',
  '#c9c5bb',
  '#a9adb3',
  '#75808f',
  '#3a475a',
  '#2a3545',
  '#1d2736',
  '#10161f',
  '#0c1118',
  '#080c12',
];

/** The theme of the whole site. Text colors reach a contrast of at least 4.5:1 (WCAG 2.2 level AA). */
export const theme = createTheme({
  breakpoints: { xs: maxWidths.phone, sm: maxWidths.tablet, md: maxWidths.narrow, lg: maxWidths.laptop },
  primaryColor: 'brand',
  colors: { brand: virtualColor({ name: 'brand', light: 'ink', dark: 'amber' }), ink, amber, gray, dark },
  white: '#fffdf8',
  black: '#16202f',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
  fontFamilyMonospace: "'IBM Plex Mono', ui-monospace, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.8438rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.25' },
      h2: { fontSize: '1.25rem', lineHeight: '1.3' },
      h3: { fontSize: '1.0625rem', lineHeight: '1.35' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  components: {
    // Ink links differ too little from the text around them by color alone.
    Anchor: { defaultProps: { underline: 'always' } },
    Container: { defaultProps: { size: 'var(--frame-width)' } },
    Badge: { defaultProps: { variant: 'light' }, styles: { root: { textTransform: 'none' } } },
    // Dialogs start at the top of the window, because centered ones would move when their content loads.
    Modal: {
      defaultProps: {
        overlayProps: { backgroundOpacity: 0.5 },
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      styles: { title: { fontSize: '1.0625rem', fontWeight: 650, lineHeight: 1.35 } },
    },
    // The default <header> element would be a second banner landmark.
    ModalHeader: { defaultProps: { role: 'none' } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    Menu: { defaultProps: { transitionProps: { duration: 80 } } },
    Tabs: { defaultProps: { keepMounted: false } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true } },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 12 } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f8f5ee',
    '--mantine-primary-color-contrast': '#fffdf8',
    '--mantine-color-dimmed': '#565c66',
    '--mantine-color-placeholder': '#6b6a68',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#2b4a7c',
    '--mantine-color-default-border': '#c8bda6',
    // Moss, ochre and brick, mixed with paper.
    '--mantine-color-green-light': '#e4e8d2',
    '--mantine-color-green-light-hover': '#dae0c3',
    '--mantine-color-green-light-color': '#455420',
    '--mantine-color-green-filled': '#66793a',
    '--mantine-color-yellow-light': '#f5e6c3',
    '--mantine-color-yellow-light-hover': '#efdcb0',
    '--mantine-color-yellow-light-color': '#6b4703',
    '--mantine-color-red-light': '#f4dfd6',
    '--mantine-color-red-light-hover': '#eed3c8',
    '--mantine-color-red-light-color': '#8c2a1b',
    '--mantine-color-red-filled': '#ab3524',
    '--mantine-color-red-filled-hover': '#962c1d',
    '--mantine-color-orange-light': '#f6e1cd',
    '--mantine-color-orange-light-color': '#853d05',
    '--mantine-color-gray-light-color': '#3f4752',
  },
  dark: {
    '--mantine-primary-color-contrast': '#16202f',
    '--mantine-color-dimmed': '#a9adb3',
    '--mantine-color-placeholder': '#8f97a3',
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-anchor': '#f2c276',
    '--mantine-color-red-filled': '#b9402d',
    '--mantine-color-red-filled-hover': '#a33625',
    '--mantine-color-red-light': '#381f1a',
    '--mantine-color-red-light-hover': '#462620',
    '--mantine-color-red-light-color': '#f6ab98',
    '--mantine-color-green-light': '#232c1c',
    '--mantine-color-green-light-hover': '#2c3823',
    '--mantine-color-green-light-color': '#bccb92',
    '--mantine-color-green-filled': '#8a9f58',
    '--mantine-color-yellow-light': '#2f2712',
    '--mantine-color-yellow-light-hover': '#3a3016',
    '--mantine-color-yellow-light-color': '#f0cd6c',
    '--mantine-color-default-border': '#465264',
  },
});
