import { findFolded } from '#platform/format/folded-text.ts';
import { isolate, shownText } from '#platform/i18n/isolate.ts';

interface HighlightProps {
  text: string;
  part: string;
  /** Cut off where it is short of room; the whole text is then its title. */
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
