import {
  createTheme,
  StyledEngineProvider,
  type Theme,
  type ThemeOptions,
  ThemeProvider,
} from '@mui/material/styles';
import type { ComponentType, ReactNode } from 'react';
import { palette } from './palette.ts';

const phone = '@media (max-width: 599.98px)';

/** Overlays open and close quickly enough that nobody waits for the animation. */
const OPENING_MS = 100;
const CLOSING_MS = 80;
/** By default MUI's menus and popovers animate longer the taller they are, up to 400 ms. */
const transitionDuration = { enter: OPENING_MS, exit: CLOSING_MS };

/** Theme of MUI's menus, dialogs and drawers. */
const muiOverlays: ThemeOptions['components'] = {
  MuiPaper: { defaultProps: { elevation: 0 } },
  MuiBackdrop: {
    styleOverrides: {
      root: {
        backgroundColor: 'var(--backdrop)',
        variants: [{ props: { invisible: true }, style: { backgroundColor: 'transparent' } }],
      },
    },
  },
  MuiPopover: {
    defaultProps: { transitionDuration },
    styleOverrides: {
      paper: {
        border: '1px solid var(--divider)',
        borderRadius: 'var(--r-pop)',
        boxShadow: 'var(--shadow-pop)',
      },
    },
  },
  MuiMenu: { defaultProps: { transitionDuration }, styleOverrides: { list: { padding: 8 } } },
  MuiMenuItem: {
    styleOverrides: {
      root: {
        gap: 12,
        // MUI sets a lower minimum height from 600 px on.
        '@media (min-width: 600px)': { minHeight: 40 },
        padding: '0 12px',
        borderRadius: 'var(--r-nav)',
        font: '500 14px/22px var(--font)',
        [phone]: { minHeight: 44 },
        '&:hover, &.Mui-focusVisible, &.Mui-selected, &.Mui-selected:hover, &.Mui-selected.Mui-focusVisible':
          { backgroundColor: 'var(--head)' },
        '&:focus-visible': { outlineOffset: -2 },
        '& > svg': { color: 'var(--icon)' },
      },
    },
  },
  MuiDialog: {
    styleOverrides: {
      container: { [phone]: { alignItems: 'flex-end' } },
      paper: {
        borderRadius: 'var(--r-card)',
        boxShadow: 'var(--shadow-dialog)',
        [phone]: {
          width: '100%',
          maxWidth: '100%',
          margin: 0,
          borderRadius: '16px 16px 0 0',
        },
      },
    },
  },
};

/** MUI with the app's look. Its styles are in the layer `mui`, whose place base.css decides. */
export function AppTheme({ children }: { children: ReactNode }) {
  return (
    <StyledEngineProvider enableCssLayer>
      <ThemeProvider theme={muiTheme}>{children}</ThemeProvider>
    </StyledEngineProvider>
  );
}

/** A component of MUI with the app's look, wherever it is drawn. */
export function themed<Props extends object>(Component: ComponentType<Props>) {
  return function Themed(props: Props) {
    return (
      <AppTheme>
        <Component {...props} />
      </AppTheme>
    );
  };
}

/** Theme of MUI's buttons, which menus and pickers draw. */
const muiControls: ThemeOptions['components'] = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: {
        '&:focus-visible': { outline: '2px solid var(--primary)', outlineOffset: 2 },
      },
    },
  },
  MuiIconButton: {
    styleOverrides: {
      root: {
        width: 40,
        height: 40,
        padding: 0,
        color: 'var(--icon)',
        [phone]: { width: 44, height: 44 },
        variants: [{ props: { size: 'small' }, style: { width: 32, height: 32 } }],
      },
    },
  },
};

const font = '"Linekeeper Digits","DM Sans Variable",system-ui,sans-serif';

const text = (fontWeight: number, px: number, line: number) => ({
  fontFamily: font,
  fontWeight,
  fontSize: px,
  lineHeight: `${line}px`,
  letterSpacing: 0,
});

/** There is no dark theme. */
const muiTheme: Theme = createTheme({
  palette: {
    mode: 'light',
    primary: {
      main: palette.primary,
      dark: palette['primary-dark'],
      light: palette['primary-soft'],
      contrastText: palette['on-primary'],
    },
    error: { main: palette.danger, light: palette['error-bg'] },
    warning: { main: palette['warning-fg'], light: palette['warning-bg'] },
    success: { main: palette['success-fg'], light: palette['success-bg'] },
    info: { main: palette['info-fg'], light: palette['info-bg'] },
    text: {
      primary: palette.text,
      secondary: palette['text-2'],
      disabled: palette['icon-quiet'],
    },
    background: { default: palette.canvas, paper: palette.paper },
    divider: palette.divider,
  },
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
  shape: { borderRadius: 8 },
  transitions: { duration: { enteringScreen: OPENING_MS, leavingScreen: CLOSING_MS } },
  typography: {
    ...text(400, 14, 22),
    h1: text(700, 24, 36),
    h2: text(600, 18, 28),
    h3: text(600, 18, 28),
    h4: text(600, 18, 28),
    h5: text(600, 14, 22),
    h6: text(600, 14, 22),
    body1: text(400, 14, 22),
    body2: text(400, 14, 22),
    subtitle1: text(600, 14, 22),
    subtitle2: text(600, 14, 22),
    caption: text(400, 12, 18),
    button: { ...text(700, 14, 24), textTransform: 'none' },
  },
  components: { ...muiControls, ...muiOverlays },
});
