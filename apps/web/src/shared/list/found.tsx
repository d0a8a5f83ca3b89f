import { Highlight } from '../ui/highlight.tsx';
import { useListSearch } from './use-list.ts';

/** The text that was searched for; '' without a search. */
export function useSearchText(): string {
  return useListSearch().search.q?.trim() ?? '';
}

/** A text of a row, in which what was searched for is marked. */
export function Found({ text, className }: { text: string; className?: string | undefined }) {
  return <Highlight text={text} part={useSearchText()} className={className} />;
}
