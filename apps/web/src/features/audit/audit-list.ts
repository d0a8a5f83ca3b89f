import { listAudit } from '@linekeeper/contract/audit.ts';
import { auditActions, auditSubjects } from '@linekeeper/contract/lists/audit-actions.ts';
import { auditList } from '@linekeeper/contract/lists/lists.ts';
import { useTranslation } from 'react-i18next';
import { useActText } from '../../shared/activity/use-act-text.ts';
import { defineList } from '../../shared/list/define-list.ts';
import { dayFilterLook } from '../../shared/list/filters/day-filter-look.tsx';
import { useAccountFilter } from '../../shared/list/filters/use-account-filter.tsx';
import { offering } from '../../shared/list/use-list.ts';

const REFETCH_MS = 30_000;

function useFilters() {
  const { t } = useTranslation('audit');
  const actText = useActText();
  const actions = auditActions.map((value) => ({ value, label: actText(value) }));
  const subjects = auditSubjects.map((value) => ({ value, label: t(`subjects.${value}`) }));
  return {
    actor: useAccountFilter('actor', t('filter.names.actor')),
    action: { ...offering(t('filter.names.action'), actions), isLong: true },
    about: { ...offering(t('filter.names.about'), subjects), isLong: true },
    from: dayFilterLook(t('filter.names.from')),
    to: dayFilterLook(t('filter.names.to')),
  };
}

/** The audit log. */
export const audit = defineList(auditList, {
  path: '/audit',
  queryKey: ['audit', 'list'],
  endpoint: listAudit,
  texts: 'audit',
  useFilters,
  refetchMs: REFETCH_MS,
});
