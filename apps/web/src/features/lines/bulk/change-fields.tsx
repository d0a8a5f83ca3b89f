import {
  bulkLines,
  type Job,
  type JobItem,
  MAX_MORE_DAYS,
  optInKinds,
} from '@linekeeper/contract/lines/bulk.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountPicker } from '#domain/accounts/account-picker.tsx';
import type { NamedAccount } from '#domain/accounts/accounts.ts';
import { type LinePlace, ServerCards } from '#domain/lines/move/server-cards.tsx';
import { PlanCards } from '#domain/prices/plan-cards.tsx';
import { usePlansOnSale } from '#domain/prices/plans.ts';
import { usePriceOf, useTerms } from '#domain/prices/prices.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { CheckboxField } from '#kit/ui/controls/checkbox.tsx';
import { CoveringInput } from '#kit/ui/controls/covering-input.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useMe } from '#platform/data/session.ts';
import type { BulkChange, BulkChangeOf, ChoiceProps } from './bulk-change.ts';
import { EditChoice } from './edit-choice.tsx';
import type { BulkLines } from './use-bulk-selection.ts';

interface ChangeFieldsProps extends ChoiceProps<BulkChange> {
  lines: BulkLines;
  /** Number of lines of each kind that is renewed only if it is chosen. */
  kinds: Job['kinds'];
}

/** The inputs of a bulk action. Resuming and deleting have no inputs. */
export function ChangeFields({ change, onChange, lines, kinds }: ChangeFieldsProps): ReactNode {
  switch (change.action) {
    case 'renew':
      return <RenewChoice change={change} onChange={onChange} kinds={kinds} />;
    case 'edit':
      return <EditChoice change={change} onChange={onChange} />;
    case 'move':
      return <MoveChoice change={change} onChange={onChange} lines={lines} />;
    case 'change_plan':
      return <PlanChoice change={change} onChange={onChange} />;
    case 'suspend':
      return <SuspendChoice change={change} onChange={onChange} />;
    case 'resume':
      return <Warning text="preview.resumeText" />;
    case 'delete':
      return <Warning text="preview.deleteWarning" />;
  }
}

function PlanChoice({ change, onChange }: ChoiceProps<BulkChangeOf<'change_plan'>>) {
  return (
    <PlanCards
      plans={usePlansOnSale()}
      value={change.plan_id}
      onChange={({ id }) => onChange({ ...change, plan_id: id })}
    />
  );
}

type RenewChange = BulkChangeOf<'renew'>;
type RenewChoiceProps = ChoiceProps<RenewChange> & Pick<ChangeFieldsProps, 'kinds'>;

function RenewChoice({ change, onChange, kinds }: RenewChoiceProps) {
  const { t } = useTranslation('bulk');
  const { is_admin } = useMe();
  const priceOf = usePriceOf();
  const terms = useTerms() ?? [];
  // Five terms are in one row, also on a phone. Any other number is in rows of six, on a phone of three.
  const isInSixes = is_admin || terms.length !== 5;
  const name = useId();
  return (
    <fieldset className="grid grid-cols-1 gap-4">
      <legend className="visually-hidden">{t('field.duration')}</legend>
      <div
        className="grid grid-cols-5 gap-2 data-six:grid-cols-6 [&_label]:relative [&_label]:block [&_label]:py-2 [&_label]:px-1 [&_label]:rounded-control [&_label]:text-center [&_small]:block phone:gap-1 phone:data-six:grid-cols-3 phone:[&_label]:py-2 phone:[&_label]:px-0.5"
        data-six={isInSixes || undefined}
      >
        {terms.map((months) => (
          <label key={months} className="choice">
            <CoveringInput
              type="radio"
              name={name}
              checked={change.subscription_months === months}
              onChange={() =>
                onChange({
                  action: 'renew',
                  subscription_months: months,
                  include: change.include?.filter((kind) => kind === 'trial'),
                })
              }
            />
            <span>
              <b>{months}</b> {t('counted.months', { count: months })}
            </span>
            <small>
              {is_admin
                ? t('recurring.free')
                : t('preview.eachCost', { cost: priceOf(months) ?? '–' })}
            </small>
          </label>
        ))}
        {is_admin && (
          <label>
            <CoveringInput
              type="radio"
              name={name}
              checked={change.days !== undefined}
              onChange={() => onChange({ action: 'renew', days: 1 })}
            />
            <span>
              <b>+</b> {t('preview.days')}
            </span>
            <small>{t('recurring.free')}</small>
          </label>
        )}
      </div>
      {change.days !== undefined && <DaysChoice change={change} onChange={onChange} />}
      <KindsChoice change={change} onChange={onChange} kinds={kinds} />
    </fieldset>
  );
}

/** A number of free days. */
function DaysChoice({ change, onChange }: ChoiceProps<RenewChange>) {
  const { t } = useTranslation('bulk');
  const id = useId();
  const { days = 0 } = change;
  return (
    <div className="grid grid-cols-1 gap-2">
      <label htmlFor={id}>
        <b className="type-strong">{t('preview.daysEach')}</b>
      </label>
      <input
        id={id}
        className="field-box w-30 h-10 py-0 px-3"
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_MORE_DAYS}
        aria-describedby={`${id}-hint`}
        value={days > 0 ? days : ''}
        onChange={({ target }) => onChange({ ...change, days: Number(target.value) })}
      />
      <p className="text-text-2 type-caption" id={`${id}-hint`}>
        {t('preview.daysHint')}
      </p>
    </div>
  );
}

/**
 * The kinds of lines that are renewed only if they are chosen. A renewal by months has only trials,
 * which become paid lines.
 */
function KindsChoice({ change, onChange, kinds }: RenewChoiceProps) {
  const { t } = useTranslation('bulk');
  const { days, include = [] } = change;
  const offered = optInKinds.filter((kind) => days !== undefined || kind === 'trial');
  // A chosen kind stays while the next preview is loading, and if there are no such lines any more.
  const found = offered.filter((kind) => (kinds?.[kind] ?? 0) > 0 || include.includes(kind));
  if (found.length === 0) return null;
  return (
    <fieldset className="grid grid-cols-1 gap-2">
      <legend>{t('preview.leftOut')}</legend>
      {found.map((kind) => (
        <CheckboxField
          key={kind}
          checked={include.includes(kind)}
          onChange={(isChecked) =>
            onChange({
              ...change,
              include: offered.filter((one) => (one === kind ? isChecked : include.includes(one))),
            })
          }
        >
          {t(`preview.kinds.${kind}`, { count: kinds?.[kind] ?? 0 })}
        </CheckboxField>
      ))}
    </fieldset>
  );
}

function Warning({ text }: { text: 'preview.resumeText' | 'preview.deleteWarning' }) {
  const { t } = useTranslation('bulk');
  return <p>{t(text)}</p>;
}

const MAX_REASON = 500;

/** The field for the reason of a suspension, which is the same for all lines. */
function SuspendChoice({ change, onChange }: ChoiceProps<BulkChangeOf<'suspend'>>) {
  const { t } = useTranslation('bulk');
  const { t: lines } = useTranslation('lines');
  const id = useId();
  return (
    <div className="grid grid-cols-1 gap-4">
      <p>{t('preview.suspendText')}</p>
      <div className="grid grid-cols-1 gap-2">
        <label htmlFor={id}>
          <b className="type-strong">{lines('field.reason')}</b>
        </label>
        <textarea
          id={id}
          className="field-box w-full py-2.5 px-3 resize-y"
          dir="auto"
          rows={2}
          maxLength={MAX_REASON}
          aria-describedby={`${id}-hint`}
          value={change.reason ?? ''}
          onChange={({ target }) => onChange({ ...change, reason: target.value })}
        />
        <p className="text-text-2 type-caption" id={`${id}-hint`}>
          {t('preview.reasonHint')}
        </p>
      </div>
    </div>
  );
}

type MoveChoiceProps = ChoiceProps<BulkChangeOf<'move'>> & { lines: BulkLines };

/** The choice of a new server and a new owner for the selected lines, either of which may stay the same. */
function MoveChoice({ change, onChange, lines }: MoveChoiceProps) {
  const { t } = useTranslation('bulk');
  const { t: texts } = useTranslation('lines');
  const id = useId();
  const [owner, setOwner] = useState<NamedAccount | null>(null);
  const { data: places } = useQuery(placesQuery(lines));
  return (
    <div className="grid grid-cols-1 gap-4">
      <ServerCards
        legend={texts('field.server')}
        value={change.server_id}
        onChange={(server_id) => onChange({ ...change, server_id })}
        places={places}
      />
      <FieldFrame id={`${id}-owner`} label={texts('field.owner')}>
        <AccountPicker
          id={`${id}-owner`}
          value={owner}
          placeholder={t('preview.keep')}
          onChange={(account) => {
            setOwner(account);
            onChange({ ...change, owner_id: account?.id });
          }}
        />
      </FieldFrame>
    </div>
  );
}

/** The query of the servers of the chosen lines, by a preview of a move without a target. */
const placesQuery = (lines: BulkLines) =>
  callQuery('bulk-preview', bulkLines, {
    body: { action: 'move', ...lines, preview: true },
    select: ({ job }) => placesOf(job.items),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

function placesOf(items: readonly JobItem[]): LinePlace[] {
  const found = new Map<string, LinePlace>();
  for (const { before } of items) {
    const key = JSON.stringify(before);
    const { server_id, host_port } = (before ?? {}) as Partial<LinePlace>;
    if (server_id === undefined) continue;
    const count = (found.get(key)?.count ?? 0) + 1;
    found.set(key, { server_id, ...(host_port && { host_port }), count });
  }
  return [...found.values()];
}
