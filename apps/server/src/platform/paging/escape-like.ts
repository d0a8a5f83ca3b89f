import { sql } from 'kysely';

/** Escapes text for a LIKE pattern, so that it contains no wildcards. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/**
 * LIKE pattern for folded text that contains the words of a search. Wildcards are escaped after folding, which turns a
 * full-width % into an ordinary one.
 */
export function likeFolded(q: string) {
  return sql<string>`'%' || regexp_replace(fold(${q}), '[\\\\%_]', '\\\\\\&', 'g') || '%'`;
}
