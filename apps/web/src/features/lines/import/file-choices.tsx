import { formatDay } from '@linekeeper/contract/dates.ts';
import { dateOrders, stateChoices } from '@linekeeper/contract/lines/import-limits.ts';
import { datesIn } from '@linekeeper/line-files/comment-date.ts';
import { type FoundLine, stateKey, summarise } from '@linekeeper/line-files/found-line.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '#kit/list/table/column.ts';
import { SmallTable } from '#kit/list/table/small-table.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { ChoiceSelect } from './choice-select.tsx';
import type { Draft } from './draft.ts';
import { shownCell } from './import-fields.ts';

interface FileChoicesProps {
  draft: Draft;
  lines: readonly FoundLine[];
  onChange: (draft: Draft) => void;
}

type Asked = ReturnType<typeof summarise>['asked'][number];

/** Most values of a status column that are shown. A column with more values has some other meaning than a state. */
const MOST_VALUES = 50;

/** The choices for values of the status column that only the importer can interpret. */
export function StateChoices({ draft, lines, onChange }: FileChoicesProps) {
  const { t } = useTranslation('bulk');
  const { asked } = summarise(lines);
  if (asked.length === 0) return null;
  const { choices } = draft;
  const textOf = ({ value }: Asked) => shownCell(value) || t('import.emptyValue');
  const choose = (state: Asked, chosen: string) => {
    const { [stateKey(state)]: _, ...others } = choices.states;
    const choice = stateChoices.find((one) => one === chosen);
    const states = choice ? { ...others, [stateKey(state)]: choice } : others;
    onChange({ ...draft, choices: { ...choices, states } });
  };
  const columns: Column<Asked>[] = [
    {
      id: 'value',
      kind: 'name',
      title: t('import.inFile'),
      cell: (state) => (
        <div className="grid grid-cols-1">
          <TypedText>{textOf(state)}</TypedText>
          <span className="text-text-2 type-caption">
            {t('import.kind', { name: t(`field.${state.field}`), number: state.count })}
          </span>
        </div>
      ),
    },
    {
      id: 'means',
      title: t('import.means'),
      cell: (state) => (
        <ChoiceSelect
          label={t('import.meaningOf', { column: textOf(state) })}
          value={choices.states[stateKey(state)] ?? ''}
          none={t('import.chooseOne')}
          options={stateChoices.map((value) => ({ value, text: t(`import.state.${value}`) }))}
          onChange={(chosen) => choose(state, chosen)}
        />
      ),
    },
  ];
  return (
    <div>
      <p className="type-strong">{t('import.states')}</p>
      <div className="mt-4 border border-divider rounded-[12px] overflow-hidden">
        <SmallTable columns={columns} rows={asked.slice(0, MOST_VALUES)} rowId={stateKey} />
      </div>
    </div>
  );
}

const SAMPLES = 3;

/** The choice of the order of dates in comments, with an example of the resulting date. */
export function DateChoice({ draft, lines, onChange }: FileChoicesProps) {
  const { t } = useTranslation('bulk');
  const id = useId();
  const dated = lines.filter(({ comment }) => datesIn(comment).length > 0);
  if (dated.length === 0) return null;
  const { choices } = draft;
  const read = dated.filter(({ expiry }) => expiry !== null).length;
  const columns: Column<FoundLine>[] = [
    {
      id: 'comment',
      kind: 'name',
      title: t('import.comment'),
      cell: ({ comment }) => <TypedText>{shownCell(comment)}</TypedText>,
    },
    {
      id: 'read',
      title: t('field.expiry'),
      cell: ({ expiry }) => (expiry === null ? t('import.notRead') : formatDay(expiry)),
    },
  ];
  return (
    <div>
      <div className="grid grid-cols-1 gap-1 max-w-90 [&_.field-box]:max-w-none">
        <label className="text-text-2 type-caption" htmlFor={id}>
          {t('import.dates')}
        </label>
        <ChoiceSelect
          id={id}
          value={choices.dates ?? ''}
          none={t('import.chooseOne')}
          options={dateOrders.map((value) => ({ value, text: t(`import.dateOrder.${value}`) }))}
          onChange={(chosen) => {
            const dates = dateOrders.find((order) => order === chosen) ?? null;
            onChange({ ...draft, choices: { ...choices, dates } });
          }}
        />
        <p className="text-text-2 type-caption" role="status">
          {t('import.datesRead', { total: dated.length, read })}
        </p>
      </div>
      <div className="mt-4 border border-divider rounded-[12px] overflow-hidden">
        <SmallTable
          columns={columns}
          rows={dated.slice(0, SAMPLES)}
          rowId={({ number }) => number}
        />
      </div>
    </div>
  );
}
