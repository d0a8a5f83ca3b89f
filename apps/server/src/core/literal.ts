/** Text as it stands inside a LIKE pattern: none of its characters is a wildcard. */
export function literalInPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
