/** Escapes text for a LIKE pattern, so that it contains no wildcards. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
