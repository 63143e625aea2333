import { createTheme, type MantineColorsTuple } from '@mantine/core'

// One accent, from its palest to its deepest. Steps 6 (light) and 5 (dark) carry white text at 4.5:1 and more.
const accent: MantineColorsTuple = [
  '#eef1fd',
  '#dde3fa',
  '#bcc7f4',
  '#97a7ee',
  '#7488e6',
  '#5468d8',
  '#3f53c8',
  '#3445ab',
  '#2a398c',
  '#212d6e',
]

// Their title bar is a <header>, which outside of a section would be a second banner of the page.
const plainHeader = { header: { role: 'presentation' } }

/** The options of the component library; colours that differ by scheme are in tokens.css. */
export const theme = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  headings: { fontFamily: 'var(--font)', fontWeight: '600' },
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  activeClassName: '',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: {
        attributes: plainHeader,
        radius: 'md',
        centered: true,
        transitionProps: { duration: 120 },
      },
    },
    Drawer: {
      defaultProps: {
        attributes: plainHeader,
        position: 'right',
        size: 420,
        transitionProps: { duration: 140 },
      },
    },
    Menu: {
      defaultProps: {
        radius: 'md',
        shadow: 'md',
        transitionProps: { duration: 100 },
        position: 'bottom-end',
        // Rendered next to its button, so that Tab continues from there and reaches the first item at once.
        withinPortal: false,
        withInitialFocusPlaceholder: false,
      },
    },
  },
})
