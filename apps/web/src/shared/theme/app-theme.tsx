import { StyledEngineProvider, ThemeProvider } from '@mui/material/styles';
import type { ComponentType, ReactNode } from 'react';
import { muiTheme } from './mui-theme.ts';

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
