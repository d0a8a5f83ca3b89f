import { StyledEngineProvider, ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { muiTheme } from './mui-theme.ts';

/**
 * MUI with the app's look. Its styles are in the layer `mui`, whose place base.css decides. Only
 * the signed-in part has it: signing in does without MUI and stays light.
 */
export function AppTheme({ children }: { children: ReactNode }) {
  return (
    <StyledEngineProvider enableCssLayer>
      <ThemeProvider theme={muiTheme}>{children}</ThemeProvider>
    </StyledEngineProvider>
  );
}
