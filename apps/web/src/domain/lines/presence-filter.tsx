import { useTranslation } from 'react-i18next';
import { PillGroup } from '#kit/list/filters/filter-group.tsx';
import type { FilterControlProps } from '#kit/list/use-list.ts';

const NEVER = 'never';
const states = ['online', 'offline'] as const;

/**
 * The filter by presence: lines that are online, offline, or never connected. It combines two
 * filters, only one of which is active.
 */
export function PresenceFilter({ name, values, draft, set }: FilterControlProps) {
  const { t } = useTranslation('lines');
  const offered = [...states, ...(values.includes('unknown') ? (['unknown'] as const) : []), NEVER];
  return (
    <PillGroup
      title={name}
      options={offered.map((value) => ({
        value,
        label: t(`filter.presence.${value as (typeof states)[number] | 'never'}`),
      }))}
      values={draft.never === true ? [NEVER] : values}
      onChange={([value]) =>
        set({
          presence: value === NEVER ? undefined : value,
          never: value === NEVER ? true : undefined,
        })
      }
    />
  );
}
