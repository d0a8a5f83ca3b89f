import { creditCost } from '@linekeeper/contract/credits.ts';
import { Plus, Route, SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/paths.ts';
import { useMe } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { ButtonLink } from '../../shared/ui/button-link.tsx';
import { EmptyPanel } from '../../shared/ui/empty-panel.tsx';
import { focusFilterButton } from './filter-button.tsx';
import { appliedFilters, noFilters } from './search.ts';
import { useFilterTexts } from './use-filter-texts.ts';
import { useLinesSearch } from './use-lines-search.ts';

export function FirstUsePanel() {
  const { t } = useTranslation('lines');
  const { is_admin, credits } = useMe();
  return (
    <EmptyPanel
      icon={<Route />}
      title={t('empty.firstTitle')}
      text={
        is_admin
          ? t('empty.firstText')
          : `${t('empty.firstText')} ${t('empty.balance', { count: credits, price: creditCost(1) })}`
      }
      action={
        <ButtonLink to={paths.addLine()} variant="solid" icon={<Plus aria-hidden="true" />}>
          {t('addLine')}
        </ButtonLink>
      }
    />
  );
}

export function NoMatchPanel() {
  const { t, i18n } = useTranslation('lines');
  const { search, change } = useLinesSearch();
  const { name, value } = useFilterTexts();
  const texts = appliedFilters(search).map((filter) => `${name(filter)} ${value(filter)}`);
  const filters = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(texts);
  const clear = () => {
    void change(noFilters);
    focusFilterButton();
  };
  return (
    <EmptyPanel
      icon={<SearchX />}
      title={t('empty.noMatch')}
      text={
        search.q
          ? t(filters ? 'empty.queryAndFilters' : 'empty.query', { query: search.q, filters })
          : t('empty.filters', { filters })
      }
      action={<Button onClick={clear}>{t('filter.clear')}</Button>}
    />
  );
}
