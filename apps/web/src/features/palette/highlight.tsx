interface HighlightProps {
  text: string;
  part: string;
}

/** The text with the first place that matches marked. */
export function Highlight({ text, part }: HighlightProps) {
  const at = part === '' ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return text;
  const end = at + part.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
