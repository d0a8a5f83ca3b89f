import type { ThemeOptions } from '@mui/material/styles';

const phone = '@media (max-width: 599.98px)';

/** Theme of MUI's buttons, which menus and pickers draw. */
export const muiControls: ThemeOptions['components'] = {
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
