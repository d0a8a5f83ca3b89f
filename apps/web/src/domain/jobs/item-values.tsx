import { TypedText } from '#kit/ui/typed-text.tsx';
import { isolate } from '#platform/i18n/isolate.ts';

/** The line's fields that a job changes, one below the other; long notes are truncated. */
export function ItemValues({ values }: { values: string[] }) {
  return values.map((value) => (
    <span className="line-clamp-2 wrap-anywhere" key={value} title={isolate(value)}>
      <TypedText>{value}</TypedText>
    </span>
  ));
}
