import { TypedText } from '#kit/ui/typed-text.tsx';
import { Text } from '#kit/ui/vocabulary.tsx';
import { isolate } from '#platform/i18n/isolate.ts';

/** The line's fields that a job changes, one below the other; long notes are truncated. */
export function ItemValues({ values }: { values: string[] }) {
  return values.map((value) => (
    <Text key={value} twoLines title={isolate(value)}>
      <TypedText>{value}</TypedText>
    </Text>
  ));
}
