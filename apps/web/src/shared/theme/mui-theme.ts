import { createTheme, type Theme } from '@mui/material/styles';
import { muiControls } from './mui-controls.ts';
import { CLOSING_MS, muiOverlays, OPENING_MS } from './mui-overlays.ts';
import { palette } from './palette.ts';

const font = '"Linekeeper Digits","DM Sans Variable",system-ui,sans-serif';

const text = (fontWeight: number, px: number, line: number) => ({
  fontFamily: font,
  fontWeight,
  fontSize: px,
  lineHeight: `${line}px`,
  letterSpacing: 0,
});

/** There is no dark theme. */
export const muiTheme: Theme = createTheme({
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
