export type Marking = 'bold' | 'italic' | 'list' | 'numbers' | 'code' | 'link';

type Selection = [from: number, to: number];

const around: Partial<Record<Marking, [before: string, after: string]>> = {
  bold: ['**', '**'],
  italic: ['*', '*'],
  code: ['`', '`'],
  link: ['[', '](https://)'],
};

/** Marks the selected part of a text as Markdown, such as bold. Returns the new text and its selection. */
export function marked(
  marking: Marking,
  text: string,
  [from, to]: Selection,
): { text: string; selection: Selection } {
  const marks = around[marking];
  if (marks) {
    const [before, after] = marks;
    const inner = text.slice(from, to);
    return {
      text: text.slice(0, from) + before + inner + after + text.slice(to),
      selection: [from + before.length, to + before.length],
    };
  }
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const lines = text.slice(start, to).split('\n');
  const listed = lines
    .map((line, index) => `${marking === 'numbers' ? `${index + 1}.` : '-'} ${line}`)
    .join('\n');
  const end = start + listed.length;
  return { text: text.slice(0, start) + listed + text.slice(to), selection: [end, end] };
}
