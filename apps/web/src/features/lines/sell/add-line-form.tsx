import { STANDARD_PLAN } from '@linekeeper/contract/credits/plans.ts';
import { type Day, formatDay } from '@linekeeper/contract/dates.ts';
import type { ErrorCode } from '@linekeeper/contract/errors.ts';
import { countLines, createLine, newLine } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Wallet } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { endOf, isReached } from '#domain/accounts/limits.ts';
import { useOwnLimits } from '#domain/accounts/use-own-limits.ts';
import { PaymentField, usePayment } from '#domain/lines/payment/use-payment.tsx';
import { PlanInput } from '#domain/prices/plan-cards.tsx';
import { usePlans } from '#domain/prices/plans.ts';
import { allPricesQuery, termOnSale, termsOf, usePriceOf } from '#domain/prices/prices.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { FormActions, FormCard } from '#kit/forms/form.tsx';
import { generatePassword } from '#kit/forms/pickers/generate-password.ts';
import { PasswordField } from '#kit/forms/pickers/password-field.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { type Submission, useSubmit } from '#kit/forms/use-submit.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import type { ApiError } from '#platform/api/client.ts';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { useToday } from '#platform/data/settings.ts';
import { useCodeText } from '#platform/i18n/use-error-text.ts';
import type { CreatedLine, NewLineForm } from './add-line-types.ts';
import { BalanceLine } from './balance-line.tsx';
import { DurationCards } from './duration-cards.tsx';
import { useLastSale } from './last-sale.ts';
import { FoldedDetails, OwnerAndNotes } from './more-fields.tsx';
import { NameField } from './name-field.tsx';
import { PhoneFields, SaleBar } from './phone-fields.tsx';
import { type ServerChoice, ServerField, useServerChoice } from './server-field.tsx';
import { useFirstMonths, useIsUnpayable } from './use-payable.ts';
import { useProposedName } from './use-proposed-name.ts';

/** The field to show an error on, for error codes that concern one field without naming it. */
const fieldOfCode = {
  USERNAME_EXISTS: 'username',
  PLAN_NOT_FOUND: 'plan_id',
  PLAN_NOT_OFFERED: 'plan_id',
  SERVER_NOT_FOUND: 'server_id',
  SERVER_NOT_OF_PLAN: 'server_id',
  USER_NOT_FOUND: 'owner_id',
  TRIAL_LIMIT_REACHED: 'subscription_months',
  LIMIT_OF_TRIALS: 'subscription_months',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Creates the form for the next line: a new password, with the months of the last sale. */
function useNewLineForm({ planId, serverId, name }: AddLineFormProps): NewLineForm {
  const me = useMe();
  const months = useFirstMonths(useLastSale().months, planId);
  const [password] = useState(generatePassword);
  return useContractForm({
    schema: newLine,
    defaultValues: {
      username: name,
      password,
      is_trial: false,
      subscription_months: months,
      plan_id: planId,
      // Sends the server that the form shows, even if a newer one has become available.
      server_id: serverId,
      ...(me.is_admin ? { owner_id: me.id } : {}),
    },
  });
}

/** The payment of the sale, for the seller's bookkeeping; `given` is undefined for the line of another account. */
function useSalePayment({ control }: NewLineForm) {
  const me = useMe();
  const [isTrial, months = null, plan_id = STANDARD_PLAN, price, currency, owner = me.id] =
    useWatch({
      control,
      name: ['is_trial', 'subscription_months', 'plan_id', 'price_minor', 'currency', 'owner_id'],
    });
  const price_minor = typeof price === 'number' ? price : null;
  const sold = { plan_id, price_minor, currency: currency || null, subscription_months: months };
  const payment = usePayment(sold, months);
  const isShown = !isTrial && owner === me.id;
  return { ...payment, isShown, given: isShown ? payment.given : undefined };
}

function useSale(
  form: NewLineForm,
  { gone, serves }: ServerChoice,
  payment: ReturnType<typeof useSalePayment>,
  onCreated: (created: CreatedLine) => void,
) {
  const { keepSale } = useLastSale();
  const { is_admin } = useMe();
  const priceOf = usePriceOf(useWatch({ control: form.control, name: 'plan_id' }));
  return useSubmit({
    form,
    bodyOf: (body) => {
      if (gone) {
        // The error is already shown on this field.
        form.setFocus('server_id');
        return undefined;
      }
      const { is_trial, subscription_months: months = 0, server_id } = body;
      const isFree = is_admin || is_trial;
      return {
        ...body,
        server_id: serves === 'one' ? server_id : undefined,
        quoted_cost: isFree ? undefined : priceOf(months),
        payment: payment.given,
      };
    },
    command: useCommand(createLine, { refreshes: ['lines', 'me', 'jobs', 'accounts'] }),
    done: (changed, body) => {
      keepSale(body);
      if (payment.isShown) payment.keep();
      onCreated({ ...changed, password: body.password });
    },
    fieldOfCode,
  });
}

interface AddLineFormProps {
  /** The chosen plan; undefined for Standard, if no plan is known. */
  planId: string | undefined;
  serverId: string | undefined;
  /** The suggested name; '' for none. */
  name: string;
  onCreated: (created: CreatedLine) => void;
}

export function AddLineForm(props: AddLineFormProps) {
  const { t } = useTranslation('lines');
  const id = useId();
  const isPhone = useIsPhone();
  const form = useNewLineForm(props);
  const { control } = form;
  const planId = useWatch({ control, name: 'plan_id' });
  const choice = useServerChoice(
    form,
    usePlans().find(({ id }) => id === planId),
  );
  const payment = useSalePayment(form);
  const submission = useSale(form, choice, payment, props.onCreated);
  const proposed = useProposedName(form, props.name);
  const button = <SaleButton form={form} submission={submission} formId={id} />;
  return (
    <FormCard
      id={id}
      submission={submission}
      label={t('nav.addLine')}
      advice={(error) => <Advice error={error} />}
      onKeyDown={isPhone ? goOnAtEnter : undefined}
    >
      <FullNotice />
      <NameField
        control={control}
        name="username"
        label={t('field.username')}
        hint={t('add.usernameHint')}
        serverId={choice.serverId}
        proposed={proposed}
        autoFocus={!isPhone}
      />
      {isPhone ? (
        <>
          <PlanField form={form} />
          <DurationCards form={form} />
          <PhoneFields
            form={form}
            choice={choice}
            payment={payment.isShown ? payment.field : null}
          />
          <SaleBar control={control}>{button}</SaleBar>
        </>
      ) : (
        <>
          <PasswordField
            form={form}
            name="password"
            label={t('field.password')}
            isGenerated
            required
          />
          <PlanField form={form} />
          <DurationCards form={form} />
          {payment.isShown && <PaymentField {...payment.field} />}
          <ServerField control={control} choice={choice} />
          <OwnerAndNotes control={control} />
          <FoldedDetails control={control} />
          <BalanceLine control={control} />
          <FormActions>
            {button}
            <ButtonLink to="/users/all" size="large">
              {t('action.cancel')}
            </ButtonLink>
          </FormActions>
        </>
      )}
    </FormCard>
  );
}

/** Moves to the next field at Enter on a phone's keyboard, so that Enter buys nothing. */
function goOnAtEnter(event: KeyboardEvent<HTMLFormElement>) {
  const { target, currentTarget } = event;
  if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
  event.preventDefault();
  const fields = [...currentTarget.elements].filter(
    (field): field is HTMLElement =>
      field instanceof HTMLElement &&
      field.checkVisibility() &&
      field.matches('input:not([type="radio"]:not(:checked)), textarea, button'),
  );
  const next = fields[fields.indexOf(target) + 1];
  if (next) next.focus();
  else target.blur();
}

interface SaleButtonProps {
  form: NewLineForm;
  submission: Submission;
  formId: string;
}

/**
 * The button that sells, or a link to the missing condition of a sale: a permission, a free place,
 * or credits for the chosen term.
 */
function SaleButton({ form, submission, formId }: SaleButtonProps) {
  const { t } = useTranslation('lines');
  const { data: limits } = useOwnLimits();
  const isUnpayable = useIsUnpayable(form);
  const today = useToday();
  const end = limits && endOf(limits, today);
  if (end) return <EndedNotice day={end} />;
  if (limits && isReached(limits.lines)) return <AskForLines />;
  if (isUnpayable) {
    return (
      <ButtonLink to="/payments/pricing" variant="solid" size="large" icon={<Wallet />}>
        {t('nav.topUpCredits')}
      </ButtonLink>
    );
  }
  return (
    <SubmitButton pending={submission.isPending} size="large" form={formId}>
      <Effect control={form.control} />
    </SubmitButton>
  );
}

function Effect({ control }: { control: NewLineForm['control'] }) {
  const { t } = useTranslation('lines');
  const { is_admin } = useMe();
  const [isTrial, months = 0, planId] = useWatch({
    control,
    name: ['is_trial', 'subscription_months', 'plan_id'],
  });
  const cost = usePriceOf(planId)(months);
  if (isTrial) return t('add.createTrial');
  return is_admin || cost === undefined
    ? t('add.createFree')
    : t('add.create', { credits: t('credits.amount', { count: cost }) });
}

function Advice({ error }: { error: ApiError }) {
  const { t } = useTranslation('lines');
  if (error.code === 'INSUFFICIENT_CREDITS') return t('add.adviceCredits');
  return error.status === 0 || error.status >= 500 ? t('actions.retryAdvice') : null;
}

/** The choice of a plan. The chosen duration stays, if the plan has it. */
function PlanField({ form: { control, getValues, setValue } }: { form: NewLineForm }) {
  const { data: prices = [] } = useQuery(allPricesQuery());
  const choose = (id: string) => {
    const chosen = getValues('subscription_months');
    if (chosen !== undefined) {
      setValue('subscription_months', termOnSale(chosen, termsOf(prices, id)));
    }
  };
  return <PlanInput control={control} onChosen={choose} />;
}

/** The notice above the form that no line can be added, with the lines that could make room. */
function FullNotice() {
  const { t } = useTranslation('lines');
  const { data: limits } = useOwnLimits();
  if (!limits || !isReached(limits.lines)) return null;
  const { used, bound } = limits.lines;
  const makesRoom = limits.may_delete.bound && used > 0;
  return (
    <Banner tone="warning" title={t('limit.full', { used, count: bound ?? 0 })}>
      {makesRoom && (
        <>
          <p>{t('limit.makeRoom')}</p>
          <ExpiredLines />
        </>
      )}
    </Banner>
  );
}

function ExpiredLines() {
  const { t } = useTranslation('lines');
  // The limit counts the lines of accounts below, too.
  const { data } = useQuery(callQuery('lines', countLines, { query: { with_below: 'true' } }));
  if (!data?.expired) return null;
  return (
    <Link to="/users/all" search={{ status: 'expired', below: true }} className="link">
      {t('limit.showExpired', { count: data.expired })}
    </Link>
  );
}

/** The button that opens a ticket with its title filled in, for accounts that reached their limit of lines. */
function AskForLines() {
  const { t } = useTranslation('lines');
  return (
    <ButtonLink
      to="/tickets/new"
      search={{ title: t('limit.ticket') }}
      variant="solid"
      size="large"
    >
      {t('limit.ask')}
    </ButtonLink>
  );
}

function EndedNotice({ day }: { day: Day }) {
  const codeText = useCodeText();
  return <Banner tone="warning" title={codeText('ACCOUNT_ENDED', { day: formatDay(day) })} />;
}
