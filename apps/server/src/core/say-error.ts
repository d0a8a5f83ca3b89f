/** One sentence about anything that was thrown, for whoever started the process. */
export function sayError(error: unknown): string {
  // Where a name has several addresses, and none of them answers, the words are inside.
  if (error instanceof AggregateError) return error.message || sayError(error.errors[0]);
  if (error instanceof Error) return error.message;
  if (typeof error === 'object' && error !== null && 'message' in error)
    return String(error.message);
  return typeof error === 'string' ? error : JSON.stringify(error);
}
