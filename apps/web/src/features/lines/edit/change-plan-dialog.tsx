import type { Body, Reply } from '@linekeeper/contract/endpoint.ts';
import { changePlan } from '@linekeeper/contract/lines/line-changes.ts';
import { type Line, quoteLine } from '@linekeeper/contract/lines/lines.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useShowStoredJob } from '#domain/jobs/queries.ts';
import { useRetrySync } from '#domain/lines/use-retry-sync.ts';
import { isShort } from '#domain/prices/is-short.ts';
import { PlanCards } from '#domain/prices/plan-cards.tsx';
import { serversOfPlan, servesOf, usePlanName, usePlansOnSale } from '#domain/prices/plans.ts';
import { serverChoicesQuery, takesLines, useJoined } from '#domain/servers/server-choices.ts';
import { ChangeAdvice, NotEnough } from '#features/lines/refused-change.tsx';
import { serverOption } from '#features/lines/sell/server-option.ts';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { useFieldErrorText } from '#kit/forms/fields/use-field.ts';
import { FormDialog } from '#kit/forms/form-dialog.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { Banner } from '#kit/ui/states/banner.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useMe } from '#platform/data/session.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { LineAddressChange } from './move-line-dialog.tsx';

type Asked = NonNullable<Body<typeof changePlan>>;
type Quote = Reply<typeof quoteLine>;

/** The query of the price or refund of a change of plan; it is not cached, because it changes daily. */
const quoteQuery = (line_id: string, { plan_id, server_id }: Asked) =>
  callQuery('lines', quoteLine, {
    body: { action: 'change_plan', line_id, plan_id, server_id },
    enabled: plan_id !== '',
    gcTime: 0,
  });

export function ChangePlanDialog({ line, onClose }: { line: Line; onClose: () => void }) {
  const { t } = useTranslation('lines');
  const errorText = useErrorText();
  const { is_admin } = useMe();
  const queryClient = useQueryClient();
  const { tell } = useRetrySync(line);
  const showStored = useShowStoredJob();
  const planName = usePlanName();
  const { username, plan_id: before, id } = line;
  const plans = usePlansOnSale().filter((plan) => plan.id !== before);
  const { form, submission } = useCommandForm(changePlan, {
    params: { id },
    refreshes: ['lines', 'me', 'jobs'],
    defaultValues: { plan_id: '' },
    bodyOf: (asked) => {
      const shown = queryClient.getQueryData(quoteQuery(id, asked).queryKey);
      // A plan cannot be bought before its price is shown.
      return shown && { ...asked, quoted_cost: is_admin ? undefined : shown.cost };
    },
    done: async (reply) => {
      onClose();
      if (reply.job_id && (await showStored(reply.job_id))) return;
      const { plan_id, server_id } = reply.line;
      const done = t('changePlan.done', { username, plan: planName(plan_id) });
      tell(reply, done, t('line.sync.saved'), server_id);
    },
    fieldOfCode: {
      PLAN_NOT_FOUND: 'plan_id',
      PLAN_NOT_OFFERED: 'plan_id',
      SERVER_NOT_FOUND: 'server_id',
      SERVER_NOT_OF_PLAN: 'server_id',
    },
    // The guard for unsaved input is off, because a plan is quickly chosen again.
    isGuarded: false,
  });
  const { control, setValue } = form;
  const { field, fieldState } = useController({ control, name: 'plan_id' });
  const problem = useFieldErrorText()(fieldState.error);
  const { field: server } = useController({ control, name: 'server_id' });
  const { data: choices = [] } = useQuery(serverChoicesQuery());
  const plan = plans.find((one) => one.id === field.value);
  const asked = { plan_id: field.value, server_id: server.value };
  const { data: quote, error } = useQuery(quoteQuery(id, asked));
  const free = (of: typeof plan) =>
    serversOfPlan(of, choices).filter((one) => takesLines(one) || one.id === line.server_id);
  return (
    <FormDialog
      submission={submission}
      advice={(refusal) => <ChangeAdvice error={refusal} />}
      title={t('changePlan.title', { username })}
      text={t('changePlan.text', { plan: planName(before) })}
      submitLabel={t('action.change_plan')}
      blocked={plan ? undefined : t('plan.choose')}
      disableRestoreFocus
      onClose={onClose}
    >
      <PlanCards
        plans={plans}
        value={field.value}
        problem={problem}
        firstRef={field.ref}
        onChange={(chosen) => {
          field.onChange(chosen.id);
          const servers = servesOf(chosen) === 'one' ? free(chosen) : [];
          const stays = servers.find((one) => one.id === line.server_id);
          setValue('server_id', (stays ?? servers[0])?.id);
        }}
      />
      {plan && <ServerOfPlan control={control} plan={plan} servers={free(plan)} />}
      {server.value && <LineAddressChange line={line} serverId={server.value} />}
      {error && <Banner tone="error" title={errorText(error)} isAlert />}
      {quote && isShort(quote) && <NotEnough quote={quote} />}
      <div role="status" className="empty:hidden">
        {quote && !is_admin && <Price quote={quote} />}
      </div>
    </FormDialog>
  );
}

interface ServerOfPlanProps {
  control: Parameters<typeof SelectInput<Asked, Asked>>[0]['control'];
  plan: Parameters<typeof servesOf>[0];
  servers: Parameters<typeof serverOption>[0][];
}

/** The choice of a server if the plan has several, otherwise its name if it is known. */
function ServerOfPlan({ control, plan, servers }: ServerOfPlanProps) {
  const { t } = useTranslation('lines');
  const joined = useJoined();
  if (servesOf(plan) === 'all') {
    return (
      <p>{t('described', { label: t('field.servers'), value: joined(plan?.servers ?? []) })}</p>
    );
  }
  if (servesOf(plan) === 'fewest' || servers.length < 2) return null;
  return (
    <SelectInput
      control={control}
      name="server_id"
      label={t('field.server')}
      options={servers.map(serverOption)}
    />
  );
}

/** The price of the unused days, or the refund for them. */
function Price({ quote: { cost, balance, balance_after } }: { quote: Quote }) {
  const { t } = useTranslation('lines');
  if (cost === 0) return null;
  const credits = t('credits.amount', { count: Math.abs(cost) });
  return (
    <>
      <p className="type-strong">
        {t(cost > 0 ? 'changePlan.pays' : 'changePlan.getsBack', { credits })}
      </p>
      <p className="flex items-center gap-1 text-text-2 type-caption">
        {t('recurring.balance', { value: balance })} <ArrowRight size={12} />
        {t('credits.amount', { count: balance_after })}
      </p>
    </>
  );
}
