import { Highlight } from '#kit/ui/highlight.tsx';
import { isolate } from '#platform/i18n/isolate.ts';
import { TwoLines } from './two-line-cell.tsx';
import { useListSearch } from './use-list.ts';

/** The searched text; '' without a search. */
export function useSearchText(): string {
  return useListSearch().search.q?.trim() ?? '';
}

interface FoundProps {
  text: string;
  /** True to end a long text with an ellipsis; a card shows it as a whole. */
  isCut?: boolean;
}

/** A text of a row with the searched part marked. */
export function Found({ text, isCut = false }: FoundProps) {
  const className = isCut
    ? 'block truncate phone:whitespace-normal phone:wrap-anywhere'
    : undefined;
  return <Highlight text={text} part={useSearchText()} className={className} />;
}

/** Two texts of a row, the second one smaller, with the searched part marked. */
export function FoundLines({ first, second }: { first: string; second: string }) {
  return (
    <TwoLines
      title={isolate(second)}
      first={
        <span>
          <Found text={first} />
        </span>
      }
      second={
        <small>
          <Found text={second} />
        </small>
      }
    />
  );
}
