import type { ThemeOptions } from '@mui/material/styles';

const phone = '@media (max-width: 599.98px)';

/** Theme of MUI's buttons, checkboxes and fields. */
export const muiControls: ThemeOptions['components'] = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: {
        '&:focus-visible': { outline: '2px solid var(--primary)', outlineOffset: 2 },
      },
    },
  },
  MuiButton: {
    defaultProps: { disableElevation: true, variant: 'outlined' },
    styleOverrides: {
      root: {
        height: 40,
        padding: '0 16px',
        borderRadius: 'var(--r-control)',
        [phone]: { height: 44 },
        variants: [
          { props: { size: 'small' }, style: { height: 32, padding: '0 12px', fontSize: 14 } },
          { props: { size: 'large' }, style: { height: 48, fontSize: 14 } },
          {
            props: { variant: 'outlined' },
            style: {
              borderColor: 'var(--divider-strong)',
              background: 'var(--paper)',
              color: 'var(--text)',
              '&:hover': { borderColor: 'var(--divider-strong)', background: 'var(--head)' },
            },
          },
          { props: { variant: 'text' }, style: { padding: '0 8px' } },
        ],
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
  MuiOutlinedInput: {
    styleOverrides: {
      root: {
        height: 44,
        background: 'var(--paper)',
        [phone]: { height: 48, fontSize: 16 },
        variants: [{ props: { multiline: true }, style: { height: 'auto' } }],
      },
      notchedOutline: { borderColor: 'var(--input-border)' },
    },
  },
  MuiInputBase: {
    styleOverrides: { input: { '&::placeholder': { color: 'var(--text-2)', opacity: 1 } } },
  },
  MuiCheckbox: {
    defaultProps: { size: 'small' },
    styleOverrides: { root: { color: 'var(--icon-quiet)', padding: 9 } },
  },
  MuiRadio: { styleOverrides: { root: { color: 'var(--icon-quiet)' } } },
};
