import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const brand: MantineColorsTuple = [
  '#eef3ff',
  '#dbe5ff',
  '#b9ccff',
  '#93b0ff',
  '#7398fb',
  '#4a77f0',
  '#3262e4',
  '#2757dd',
  '#1c4fd6',
  '#163fae',
];

/** Cool grays for the dark theme. The first colors are for text; index 7 is the page background. */
const dark: MantineColorsTuple = [
  '#dce1e9',
  '#b5bdc9',
  '#9aa3b2',
  '#667082',
  '#3a4250',
  '#2d3441',
  '#1f252e',
  '#14181e',
  '#101318',
  '#0b0d11',
];

/** The theme of the whole site. Text colors reach a contrast of at least 4.5:1 (WCAG 2.2 level AA). */
export const theme = createTheme({
  primaryColor: 'brand',
  colors: { brand, dark },
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  fontFamily: "Inter, ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
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
    Modal: {
      defaultProps: {
        centered: true,
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
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true } },
    Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 12 } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545d69',
    '--mantine-color-placeholder': '#667080',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#1c4fd6',
    '--mantine-color-default-border': '#c4cad4',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-green-light-color': '#1b6630',
    '--mantine-color-red-light-color': '#a61b1b',
    '--mantine-color-orange-light-color': '#8f3a00',
    '--mantine-color-gray-light-color': '#3f4752',
  },
  dark: {
    '--mantine-color-dimmed': '#a3acba',
    '--mantine-color-placeholder': '#8d97a7',
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-anchor': '#93b0ff',
    '--mantine-color-brand-light-color': '#b9ccff',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b32424',
    '--mantine-color-red-light': '#35191c',
    '--mantine-color-red-light-hover': '#431e22',
    '--mantine-color-red-light-color': '#ffa69e',
    '--mantine-color-green-light': '#142b1e',
    '--mantine-color-green-light-hover': '#193625',
    '--mantine-color-green-light-color': '#8bd9a4',
    '--mantine-color-yellow-light': '#2f2712',
    '--mantine-color-yellow-light-hover': '#3a3016',
    '--mantine-color-yellow-light-color': '#f0cd6c',
    '--mantine-color-default-border': '#434c5c',
  },
});
