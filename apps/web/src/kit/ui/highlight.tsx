import { findFolded } from '#platform/format/folded-text.ts';
import { isolate, shownText } from '#platform/i18n/isolate.ts';

interface HighlightProps {
  text: string;
  part: string;
  /** Class of a text that may be cut off; its `title` has the whole text. */
  className?: string | undefined;
}

/** The text with the first match of `part` highlighted. */
export function Highlight({ text: typed, part, className }: HighlightProps) {
  const text = shownText(typed);
  const place = findFolded(part, text);
  const look = className ? { className, title: isolate(typed) } : {};
  if (!place) return <bdi {...look}>{text}</bdi>;
  const [start, end] = place;
  return (
    <bdi {...look}>
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </bdi>
  );
}
