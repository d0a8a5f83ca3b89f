/** The words of a Markdown text without its marks, for excerpts in lists and emails. */
export function plainMarkdown(text: string): string {
  return text
    .replace(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)/g, '$1')
    .replace(/^[\t ]*(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[\t ]+/gm, '')
    .replace(/(\*\*|__|~~|`{1,3})(?=\S)([^\n]{0,500}?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)([^\n*_]{0,500}\S)\1(?![\p{L}\p{N}])/gu, '$2');
}
