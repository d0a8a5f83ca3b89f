/** Text that every reader of settings files takes unchanged. */
const PLAIN = /^[\w.:/+=@,{}[\] -]*$/;

function quoted(name: string, value: string): string {
  if (PLAIN.test(value) && value === value.trim()) return value;
  if (!/['\n\r]/.test(value)) return `'${value}'`;
  if (!/["$\\\n\r`]/.test(value)) return `"${value}"`;
  throw new Error(`${name} has characters that a settings file cannot hold`);
}

/**
 * The text of a settings file with these values changed or added. Everything else stays: comments, order, and settings
 * that an operator added.
 */
export function withSettings(text: string, values: Record<string, string>): string {
  const left = new Map(Object.entries(values));
  const lines = text.split('\n').map((line) => {
    const name = /^(\w+)=/.exec(line)?.[1] ?? '';
    const value = left.get(name);
    if (value === undefined) return line;
    left.delete(name);
    return `${name}=${quoted(name, value)}`;
  });
  while (lines.at(-1) === '') lines.pop();
  const added = [...left].map(([name, value]) => `${name}=${quoted(name, value)}`);
  return `${[...lines, ...added].join('\n')}\n`;
}
