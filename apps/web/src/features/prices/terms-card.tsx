import type { Plan } from '@linekeeper/contract/credits/plans.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GripVertical, Plus, Trash2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useFieldArray, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { formatParts } from '#domain/prices/format-parts.ts';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { IconButton } from '#kit/ui/buttons/icon-button.tsx';
import { Card, CardSummary } from '#kit/ui/card.tsx';
import { Switch } from '#kit/ui/controls/switch-row.tsx';
import type { PricesFormOf } from './prices-form.ts';
import { plansQuery } from './queries.ts';
import { UnitInput } from './unit-input.tsx';
import { useReorder } from './use-reorder.ts';

const ROW =
  'grid grid-cols-[32px_minmax(104px,152px)_minmax(104px,152px)_minmax(52px,1fr)_56px_32px] items-start gap-x-4 px-4 phone:grid-cols-[28px_minmax(0,1fr)_minmax(0,1fr)_52px_40px] phone:gap-x-1 phone:ps-1 phone:pe-1';
/** The look of a cell, as high as a field, so that cells beside a field do not move when its error appears. */
const CELL = 'flex items-center h-(--entry)';

interface TermsCardProps {
  form: PricesFormOf;
  plan: Plan;
}

/** The terms of the plan in the order in which they are offered. */
export function TermsCard({ form, plan }: TermsCardProps) {
  const { t } = useTranslation('prices');
  const { control } = form;
  const { fields, append, remove, move } = useFieldArray({ control, name: 'terms' });
  const termName = useTermName();
  const [said, setSaid] = useState('');
  const add = useRef<HTMLButtonElement>(null);
  const reorder = useReorder({
    count: fields.length,
    move,
    moved: (place) => {
      const term = termName(form.getValues(`terms.${place}.months`));
      setSaid(t('terms.place', { term, place: place + 1, count: fields.length }));
    },
  });
  const { errors } = form.formState;
  const problem = useFieldErrorText()(errors.terms?.root ?? (errors.terms as undefined));
  return (
    <Card flush className="overflow-clip" aria-labelledby="terms">
      <div className="flex items-center justify-between gap-4 p-(--card-pad) pb-4 phone:flex-wrap">
        <div>
          <h2 id="terms">{t('credits.ofLine')}</h2>
          <CardSummary>{t('terms.text')}</CardSummary>
        </div>
        <PlanChoice plan={plan} />
      </div>
      <div
        className={`${ROW} bg-head text-text-2 type-[600_12px/44px_var(--font)] whitespace-nowrap phone:text-[11px]`}
        aria-hidden="true"
      >
        <span />
        <span>{t('field.duration')}</span>
        <span>{t('field.price')}</span>
        <span className="only-wide text-end">{t('credits.monthly')}</span>
        <span className="phone:text-center">{t('terms.shown')}</span>
        <span />
      </div>
      <ul {...reorder.list}>
        {fields.map(({ id }, index) => (
          <TermRow
            key={id}
            form={form}
            index={index}
            isDragged={reorder.dragged === index}
            grip={reorder.grip(index)}
            onRemove={() => {
              remove(index);
              add.current?.focus();
            }}
          />
        ))}
      </ul>
      <p className="visually-hidden" aria-live="polite">
        {said}
      </p>
      {problem && <p className="px-(--card-pad) pt-3 text-danger type-caption">{problem}</p>}
      <div className="px-4 pt-2 pb-4 border-t border-t-divider phone:px-2">
        <Button
          ref={add}
          variant="text"
          icon={<Plus />}
          onClick={() => append({ is_offered: true } as (typeof fields)[number])}
        >
          {t('terms.add')}
        </Button>
      </div>
    </Card>
  );
}

/** The choice of the plan whose prices are shown, if there are several. */
function PlanChoice({ plan }: { plan: Plan }) {
  const { t } = useTranslation('prices');
  const id = useId();
  const navigate = useNavigate();
  const { data } = useQuery(plansQuery());
  if (!data || data.items.length < 2) return null;
  return (
    <div className="flex items-center gap-3 w-60 phone:w-full">
      <label id={`${id}-label`} htmlFor={id} className="text-text-2">
        {t('tabs.plan')}
      </label>
      <div className="flex-1 min-w-0">
        <SelectBox
          id={id}
          value={plan.id}
          options={data.items.map(({ id: value, name: label }) => ({ value, label }))}
          onChange={(chosen) =>
            void navigate({ to: '/payments/plans', search: { plan: chosen }, resetScroll: false })
          }
        />
      </div>
    </div>
  );
}

/** Returns the name of a term, such as "6 months", or a substitute while its months are not entered. */
export function useTermName(): (months: unknown) => string {
  const { t } = useTranslation('prices');
  return (months) =>
    typeof months === 'number' ? t('credits.months', { count: months }) : t('terms.new');
}

interface TermRowProps {
  form: PricesFormOf;
  index: number;
  isDragged: boolean;
  grip: ReturnType<ReturnType<typeof useReorder>['grip']>;
  onRemove: () => void;
}

function TermRow({ form, index, isDragged, grip, onRemove }: TermRowProps) {
  const { t, i18n } = useTranslation('prices');
  const { control, setValue } = form;
  const entered = useWatch({ control, name: `terms.${index}` });
  const { months, credits, is_offered: isShown = true } = entered ?? {};
  const term = useTermName()(months);
  const switchId = useId();
  const monthly = Number(credits) / Number(months);
  return (
    <li
      className={`${ROW} pt-[5px] pb-1.5 border-t border-t-divider bg-paper phone:pt-[7px] phone:pb-2 ${isDragged ? 'relative z-1 shadow-pop' : ''}`}
    >
      <span className={CELL}>
        <button
          {...grip}
          type="button"
          className="grid place-items-center w-8 h-10 rounded-control text-icon-quiet cursor-grab touch-none phone:w-7 phone:h-12"
          aria-label={t('terms.move', { term })}
          title={t('terms.move', { term })}
        >
          <GripVertical size={18} />
        </button>
      </span>
      <UnitInput
        control={control}
        name={`terms.${index}.months`}
        label={t('described', { label: t('field.duration'), value: term })}
        unit={t('counted.months', { count: Number(months) || 0 })}
        isQuiet={!isShown}
      />
      <UnitInput
        control={control}
        name={`terms.${index}.credits`}
        label={t('described', { label: t('field.price'), value: term })}
        unit={t('counted.credits', { count: Number(credits) || 0 })}
        isQuiet={!isShown}
      />
      <span className={`only-wide ${CELL} justify-end ${isShown ? '' : 'text-text-2'}`}>
        {Number.isFinite(monthly) && monthly > 0 && formatParts(monthly, i18n.language)}
      </span>
      <label htmlFor={switchId} className={`${CELL} phone:justify-center`}>
        <Switch
          id={switchId}
          aria-label={t('terms.isShown', { term })}
          checked={isShown}
          onChange={(isOn) => setValue(`terms.${index}.is_offered`, isOn, { shouldDirty: true })}
        />
      </label>
      <span className={CELL}>
        <IconButton size="small" label={t('deleteOf', { name: term })} onClick={onRemove}>
          <Trash2 size={18} />
        </IconButton>
      </span>
    </li>
  );
}
