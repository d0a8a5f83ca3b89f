import { useNavigate, useSearch } from '@tanstack/react-router';
import { paths } from '../../shared/paths.ts';

/** A job's details are part of the address, so that a reload keeps them. */
export function useJobAddress() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false });
  return {
    /** Of a job, or 'recent' for the list of them. */
    open: (id: string) => navigate({ to: paths.lines(), search: { ...search, job: id } }),
    close: () => navigate({ to: '.', search: { ...search, job: undefined }, replace: true }),
  };
}
