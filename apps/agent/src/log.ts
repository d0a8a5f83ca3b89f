export type Log = (entry: Record<string, string | number | null>) => void;

/** The code of a failed system call, because its message has full paths; otherwise the message. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // ERR_… are Node's own codes, and one of them covers all errors of SQLite.
  return /^E(?!RR_)/.test(code) ? code : error.message;
}

/** The result of `work`; undefined if it throws. */
export function attempted<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
