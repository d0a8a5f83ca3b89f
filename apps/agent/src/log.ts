export type Log = (entry: Record<string, string | number | null>) => void;

/** A failed system call's code (ENOSPC, EROFS, …) says enough, and its message has whole paths. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // ERR_… are Node's own, and one of them covers everything SQLite can say.
  return /^E(?!RR_)/.test(code) ? code : error.message;
}
