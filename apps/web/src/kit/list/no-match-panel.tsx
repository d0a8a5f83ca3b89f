import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { appliedFilters, noFilters, valuesOf } from '#screens/address.ts';
import { focusFilterButton } from './filters/filter-button.tsx';
import { listLink, useListDefinition, useListSearch } from './use-list.ts';

/**
 * The panel that is shown if no row matches: the search and filters in use, a link that clears them, and other places
 * to search.
 */
export function NoMatchPanel({ more }: { more?: ReactNode }) {
  const { t, i18n } = useTranslation();
  const definition = useListDefinition();
  const { declaration, useFilters, useTexts } = definition;
  const { search } = useListSearch();
  const looks = useFilters();
  const either = new Intl.ListFormat(i18n.language, { type: 'disjunction' });
  const applied = appliedFilters(declaration, search).map((filter) => {
    const look = looks[filter];
    const values = valuesOf(search[filter]).map((value) => look?.valueText(value) ?? value);
    return `${look?.name ?? filter} ${either.format(values)}`;
  });
  const filters = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(applied);
  return (
    <EmptyPanel
      icon={<SearchX />}
      title={useTexts().noMatch}
      text={
        search.q
          ? t(filters ? 'list.noMatch.queryAndFilters' : 'list.noMatch.query', {
              query: search.q,
              filters,
            })
          : t('list.noMatch.filters', { filters })
      }
      action={
        <div className="flex items-center flex-wrap gap-2">
          <ButtonLink
            {...listLink(definition, { ...search, ...noFilters(declaration), cursor: undefined })}
            onClick={focusFilterButton}
          >
            {t('list.filter.clear')}
          </ButtonLink>
          {more}
        </div>
      }
    />
  );
}
