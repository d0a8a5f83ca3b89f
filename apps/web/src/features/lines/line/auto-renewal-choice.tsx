import { setAutoRenewal } from '@linekeeper/contract/lines/auto-renewal.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { Card } from '#kit/ui/card.tsx';
import { useMe } from '#platform/data/session.ts';
import { results } from '#platform/state/results.ts';

const OFF = 'off';

/** The term by which a line of one's own renews itself. */
export function AutoRenewalChoice({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const id = useId();
  const me = useMe();
  const terms = useTerms(line.plan_id) ?? [];
  const priceOf = usePriceOf(line.plan_id);
  const set = useCommand(setAutoRenewal, {
    params: { id: line.id },
    refreshes: ['lines', 'dashboard'],
    waits: true,
    done: ({ line: { auto_renew_months: months } }) =>
      results.success(
        months === null
          ? t('autoRenewal.isOff')
          : t('autoRenewal.isOn', { duration: t('credits.months', { count: months }) }),
      ),
  });
  if (line.owner_id !== me.id) return null;
  const months = line.auto_renew_months;
  const known = months === null || terms.includes(months) ? terms : [...terms, months];
  const options = known.map((term) => {
    const cost = me.is_admin ? undefined : priceOf(term);
    return {
      value: String(term),
      label: t('credits.months', { count: term }),
      ...(cost !== undefined && { hint: t('credits.amount', { count: cost }) }),
    };
  });
  return (
    <Card as="div">
      <div className="grid grid-cols-[1fr_minmax(0,13rem)] items-center gap-3">
        <span>
          <span id={`${id}-label`} className="type-strong">
            {t('autoRenewal.title')}
          </span>
          {months !== null && (
            <span className="block text-text-2 type-caption">{t('autoRenewal.when')}</span>
          )}
        </span>
        <SelectBox
          id={id}
          value={months === null ? OFF : String(months)}
          options={[{ value: OFF, label: t('autoRenewal.off') }, ...options]}
          disabled={set.isPending}
          onChange={(value) =>
            void set.send({ months: value === undefined || value === OFF ? null : Number(value) })
          }
        />
      </div>
    </Card>
  );
}
