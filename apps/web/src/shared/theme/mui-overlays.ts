import type { ThemeOptions } from '@mui/material/styles';

const phone = '@media (max-width: 599.98px)';

/** Overlays open and close quickly enough that nobody waits for the animation. */
export const OPENING_MS = 100;
export const CLOSING_MS = 80;
/** By default MUI's menus and popovers animate longer the taller they are, up to 400 ms. */
const transitionDuration = { enter: OPENING_MS, exit: CLOSING_MS };

/** Theme of MUI's menus, dialogs and drawers. */
export const muiOverlays: ThemeOptions['components'] = {
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
