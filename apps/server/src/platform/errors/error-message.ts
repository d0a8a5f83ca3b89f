/** One sentence about any thrown value, for the operator who started the process. */
export function errorMessage(error: unknown): string {
  // When all addresses of a name fail, Node puts the messages into the inner errors.
  if (error instanceof AggregateError) return error.message || errorMessage(error.errors[0]);
  if (error instanceof Error) return error.message;
  if (typeof error === 'object' && error !== null && 'message' in error)
    return String(error.message);
  return typeof error === 'string' ? error : JSON.stringify(error);
}
