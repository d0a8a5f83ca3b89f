import { lineDetailsWith } from '@linekeeper/contract/fields/line-details.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useShownColumns } from '#kit/list/use-list-preferences.ts';
import { Highlight } from '#kit/ui/highlight.tsx';
import { findFolded } from '#platform/format/folded-text.ts';

/** Fields that the search reads besides the username, in the order of their columns. */
const searched = lineDetailsWith('isSearched', true);
/** Letters before the match that stay, so that a long text does not hide the match. */
const LEAD = 8;

interface HiddenMatchProps {
  line: Line;
  q: string;
}

/** The value of a hidden column that matches the search, so that each row shows why it was found. */
export function HiddenMatch({ line, q }: HiddenMatchProps) {
  const shown = useShownColumns();
  return <Match line={line} q={q} hidden={searched.filter((field) => !shown.includes(field))} />;
}

/** The field that matches the search, for the cards of a phone, which show only the username. */
export function MatchBesideName(props: HiddenMatchProps) {
  return <Match {...props} hidden={searched} />;
}

function Match({ line, q, hidden }: HiddenMatchProps & { hidden: readonly string[] }) {
  const { t } = useTranslation();
  if (!q || findFolded(q, line.username)) return null;
  const found = searched.filter((field) => findFolded(q, line[field] ?? ''));
  const [field] = found;
  if (!field || found.some((id) => !hidden.includes(id))) return null;
  return (
    <span className="flex items-stretch gap-1 text-text-2 type-caption min-w-0 wrap-anywhere">
      {t(`field.${field}`)}{' '}
      <Highlight text={excerpt(line[field] ?? '', q)} part={q} className="cell-text" />
    </span>
  );
}

function excerpt(text: string, q: string): string {
  const [start = 0] = findFolded(q, text) ?? [];
  return start > LEAD ? `…${text.slice(start - LEAD)}` : text;
}
