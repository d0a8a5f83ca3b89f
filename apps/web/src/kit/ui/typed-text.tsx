import { shownText } from '#platform/i18n/isolate.ts';

/** Text from a user or card server, isolated from the direction of the surrounding text. */
export function TypedText({ children }: { children: string }) {
  return <bdi>{shownText(children)}</bdi>;
}
