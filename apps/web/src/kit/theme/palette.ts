/**
 * Colours from tokens.css that MUI calculates with, and which therefore cannot be CSS variables. A
 * test compares them with tokens.css.
 */
export const palette = {
  canvas: '#f9fafb',
  paper: '#ffffff',
  divider: '#e8ecef',
  text: '#1c252e',
  'text-2': '#637381',
  'icon-quiet': '#87929e',
  primary: '#0b63d6',
  'primary-dark': '#0c44ae',
  'primary-soft': '#e7f0fb',
  'on-primary': '#ffffff',
  danger: '#b71d18',
  'error-bg': '#ffe4de',
  'warning-bg': '#fff2d6',
  'warning-fg': '#7a4100',
  'success-bg': '#dcf6e5',
  'success-fg': '#065e49',
  'info-bg': '#d6f4f9',
  'info-fg': '#006c9c',
} as const;
