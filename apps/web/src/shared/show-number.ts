/** Grouped in every language: "1 000" stands beside "10 000" in Polish too. */
export function showNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language, { useGrouping: 'always' }).format(value);
}
