import type { Filter } from '@linekeeper/contract/lists/list.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type FilterLook, useListDefinition, useListSearch, useTotal } from '#kit/list/use-list.ts';
import { SheetHandle } from '#kit/overlays/dialogs/dialog-parts.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { type ListSearch, noFilters, orderOf, partOf, valuesOf } from '#screens/address.ts';
import { FilterField } from './filter-field.tsx';
import { ChoiceGroup, PillGroup } from './filter-group.tsx';

/**
 * The panel in which a draft of the filters is edited; its button shows the number of rows that the draft would match.
 */
export function FilterPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { declaration, useTexts, useFilters, useChoiceCounts } = useListDefinition();
  const texts = useTexts();
  const looks = useFilters();
  const counts = useChoiceCounts?.();
  const { search, change } = useListSearch();
  const [edited, setDraft] = useState<ListSearch>({ ...search, cursor: undefined });
  // The search text may reach the address after the panel was opened, so it is taken from there.
  const draft: ListSearch = { ...edited, q: search.q };
  const set = (changes: ListSearch) => setDraft({ ...draft, ...changes });
  const apply = () => {
    // The search box may have changed in the meantime, so its text is left out.
    const { q: _, ...chosen } = draft;
    void change(chosen);
    onClose();
  };
  return (
    <div className="w-100 max-w-full pt-4 px-5 pb-0 phone:w-auto phone:pt-2 phone:px-4 phone:pb-0">
      <SheetHandle />
      <div className="flex items-center justify-between gap-2 [&_h2]:tracking-[-0.005em] [&_button]:-me-2">
        <h2>{texts.filterTitle}</h2>
        <Button variant="text" size="small" onClick={() => set(noFilters(declaration))}>
          {t('list.filter.clearAll')}
        </Button>
      </div>
      {Object.entries(declaration.filters).map(([name, filter]) => {
        const look = looks[name];
        if (!look) return null;
        return (
          <FilterControl
            key={name}
            filter={filter}
            look={look}
            counts={counts?.[filter.field]}
            values={valuesOf(draft[name])}
            onChange={(values) => set({ [name]: partOf(filter, values) })}
            draft={draft}
            set={set}
          />
        );
      })}
      {isPhone && <OrderChoice draft={draft} set={set} />}
      <div className="sticky bottom-0 z-1 mt-1 pt-3 px-0 pb-5 bg-paper phone:pb-6">
        <Button variant="solid" fullWidth onClick={apply}>
          <ShowText draft={draft} />
        </Button>
      </div>
    </div>
  );
}

interface FilterControlProps extends DraftProps {
  filter: Filter;
  look: FilterLook;
  counts: Record<string, number> | undefined;
  values: string[];
  onChange: (values: string[]) => void;
}

function FilterControl(props: FilterControlProps) {
  const { filter, look, counts, values, onChange, draft, set } = props;
  const { name, options, Control, valueText, isLong } = look;
  // A filter with a single value keeps only the newest choice.
  const choose = (chosen: string[]) => onChange(filter.several ? chosen : chosen.slice(-1));
  if (Control) {
    return <Control name={name} values={values} onChange={choose} draft={draft} set={set} />;
  }
  if (!options?.length) return null;
  // A link may contain a value that is not among the options, such as another number of days.
  const others = values.filter((value) => !options.some((option) => option.value === value));
  const offered = [...options, ...others.map((value) => ({ value, label: valueText(value) }))];
  const counted = offered.map((option) => ({ ...option, count: counts?.[option.value] }));
  const group = { title: name, options: counted, values, onChange };
  // A filter with a single possible value is a checkbox.
  const hasBoxes = filter.several || filter.values?.length === 1;
  return hasBoxes ? <ChoiceGroup {...group} isLong={isLong} /> : <PillGroup {...group} />;
}

function ShowText({ draft }: { draft: ListSearch }) {
  const { show } = useListDefinition().useTexts();
  const { total, isExact } = useTotal(draft);
  return show(total, isExact);
}

interface DraftProps {
  draft: ListSearch;
  set: (changes: ListSearch) => void;
}

/** Sorting for phones, which have no column headers. */
function OrderChoice({ draft, set }: DraftProps) {
  const { t } = useTranslation();
  const { declaration, useTexts } = useListDefinition();
  const { order: orderText } = useTexts();
  const orders = declaration.sorts.flatMap((field) => [field, `-${field}`]);
  return (
    <FilterField title={t('list.filter.order')}>
      <div className="flex flex-wrap items-stretch gap-1.5">
        {orders.map((order) => (
          <RadioPill
            key={order}
            size="small"
            name="order"
            checked={orderOf(declaration, draft) === order}
            onChange={() => set({ sort: order === declaration.defaultSort ? undefined : order })}
          >
            {orderText(order)}
          </RadioPill>
        ))}
      </div>
    </FilterField>
  );
}
