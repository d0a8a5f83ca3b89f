import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useListDefinition, useListSearch } from '#kit/list/use-list.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { type Chip, chipsOf, type ListSearch, noFilters, withoutValue } from '#screens/address.ts';
import { focusFilterButton } from './filter-button.tsx';

/** A removable chip for each filter value. */
export function FilterChips() {
  const { t } = useTranslation();
  const { declaration, useFilters } = useListDefinition();
  const { search, change } = useListSearch();
  const looks = useFilters();
  const chips = chipsOf(declaration, search);
  if (chips.length === 0) return null;
  const remove = (filters: ListSearch) => {
    void change(filters);
    focusFilterButton();
  };
  const texts = ({ filter, value }: Chip) => {
    const look = looks[filter];
    return { name: look?.name ?? filter, value: look?.valueText(value) ?? value };
  };
  return (
    <div className="flex flex-wrap items-center gap-2 pb-4 px-(--list-side,24px) [section+&]:pt-4 [[data-bulk-room]+&]:pt-4 phone:flex-nowrap phone:-mx-(--list-bleed,16px) phone:px-4 phone:overflow-x-auto phone:overflow-y-hidden phone:[scrollbar-width:none]">
      {chips.map((chip) => {
        const { name, value } = texts(chip);
        return (
          <span
            key={`${chip.filter} ${chip.value}`}
            className="border border-divider-strong rounded-control bg-paper inline-flex items-center gap-2 flex-none max-w-full h-8 pt-0 pr-1 pb-0 pl-3 whitespace-nowrap phone:h-9 phone:pe-0"
          >
            <span className="truncate">
              <span className="text-text-2">{name}</span> <b className="type-strong">{value}</b>
            </span>
            <button
              type="button"
              className="grid flex-none place-items-center w-6 h-6 rounded-[50%] text-icon hover:bg-head phone:w-9 phone:h-9"
              aria-label={t('removeOf', { name: `${name} ${value}` })}
              onClick={() => remove(withoutValue(declaration, search, chip))}
            >
              <X size={14} strokeWidth={2} />
            </button>
          </span>
        );
      })}
      <Button variant="text" size="small" onClick={() => remove(noFilters(declaration))}>
        {t('list.filter.clear')}
      </Button>
    </div>
  );
}
