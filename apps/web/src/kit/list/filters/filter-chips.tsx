import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useListDefinition, useListSearch } from '#kit/list/use-list.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Muted, Row, Strong } from '#kit/ui/vocabulary.tsx';
import { type Chip, chipsOf, type ListSearch, noFilters, withoutValue } from '#screens/address.ts';
import { focusFilterButton } from './filter-button.tsx';
import styles from './filter-chips.module.css';

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
    <Row gap={8} wrap className={styles.chips}>
      {chips.map((chip) => {
        const { name, value } = texts(chip);
        return (
          <Row
            key={`${chip.filter} ${chip.value}`}
            as="span"
            inline
            gap={8}
            className={`framed ${styles.chip}`}
          >
            <span>
              <Muted>{name}</Muted> <Strong>{value}</Strong>
            </span>
            <button
              type="button"
              aria-label={t('list.filter.remove', { filter: `${name} ${value}` })}
              onClick={() => remove(withoutValue(declaration, search, chip))}
            >
              <X size={14} strokeWidth={2} />
            </button>
          </Row>
        );
      })}
      <Button variant="text" size="small" onClick={() => remove(noFilters(declaration))}>
        {t('list.filter.clear')}
      </Button>
    </Row>
  );
}
