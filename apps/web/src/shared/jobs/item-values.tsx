import { isolate } from '../i18n/isolate.ts';
import { TypedText } from '../ui/typed-text.tsx';
import { Text } from '../ui/vocabulary.tsx';

/** The line's fields that a job changes, one below the other; long notes are truncated. */
export function ItemValues({ values }: { values: string[] }) {
  return values.map((value) => (
    <Text key={value} twoLines title={isolate(value)}>
      <TypedText>{value}</TypedText>
    </Text>
  ));
}
