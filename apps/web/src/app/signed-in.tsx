import { lazy } from 'react';
import { Shell } from '../shared/layout/shell.tsx';

const Palette = lazy(async () => ({
  default: (await import('../features/palette/palette.tsx')).Palette,
}));

const Jobs = lazy(async () => ({
  default: (await import('../features/jobs/job-host.tsx')).JobHost,
}));

/** The shell with what only the app knows: its features. */
export function SignedIn() {
  return <Shell palette={Palette} jobs={Jobs} />;
}
