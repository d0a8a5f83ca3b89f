import { useNavigate, useSearch } from '@tanstack/react-router';

/** Keeps the open job in the list's address, so that a reload shows it again. */
export function useJobAddress() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/users/all', shouldThrow: false });
  return {
    /** Id of the job shown over the list, or 'recent' for the list of jobs. */
    openId: search?.job,
    open: (id: string) => navigate({ to: '/users/all', search: { ...search, job: id } }),
    close: () =>
      navigate({ to: '/users/all', search: { ...search, job: undefined }, replace: true }),
  };
}
