import {
  listRedemptions,
  type Redemption,
  redeem,
} from '@linekeeper/contract/credits/redeem-codes.ts';
import { redemptionsList } from '@linekeeper/contract/lists/lists.ts';
import { CircleCheck, TicketPercent } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useCommandForm } from '#kit/forms/use-command-form.ts';
import { column, type ListColumn } from '#kit/list/columns.tsx';
import { defineList, narrowed } from '#kit/list/define-list.ts';
import { ListCard } from '#kit/list/list-body.tsx';
import { ListRows, type ShownRows } from '#kit/list/list-rows.tsx';
import { PagedList } from '#kit/list/paged-list.tsx';
import { ListProvider } from '#kit/list/use-list.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { Outcome } from './outcome.tsx';

export function RedeemPage() {
  return (
    <>
      <PageHeader />
      <div className="grid grid-cols-[344px_minmax(0,1fr)] items-start gap-6 tablet:grid-cols-1 phone:gap-4">
        <RedeemCard />
        <RedemptionHistory />
      </div>
    </>
  );
}

const nothingTyped = { code: '' };

function RedeemCard() {
  const { t } = useTranslation('redeem');
  const [added, setAdded] = useState<number | null>(null);
  const { form, field, submission } = useCommandForm(redeem, {
    refreshes: ['me', 'redemptions'],
    defaultValues: nothingTyped,
    bodyOf: (body) => {
      setAdded(null);
      return body;
    },
    done: ({ credits }, _, form) => {
      form.reset(nothingTyped);
      setAdded(credits);
    },
    fieldOfCode: {
      INVALID_OR_EXPIRED_CODE: 'code',
      CODE_ALREADY_REDEEMED: 'code',
      TOO_MANY_ATTEMPTS: 'code',
    },
    isGuarded: false,
  });
  return (
    <Card title={t('form.title')}>
      <Form
        submission={submission}
        label={t('nav.redeemCode')}
        className="grid gap-4 [&>:empty]:hidden"
      >
        <FormProblems form={form} />
        <TextInput
          {...field('code')}
          label={t('field.code')}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
        />
        <SubmitButton pending={submission.isPending} fullWidth>
          {t('form.submit')}
        </SubmitButton>
        <div role="status">
          {added !== null && (
            <Banner
              tone="success"
              icon={<CircleCheck />}
              title={t('done', { credits: t('credits.amount', { count: added }) })}
            />
          )}
        </div>
      </Form>
    </Card>
  );
}

function RedemptionHistory() {
  const { t } = useTranslation('redeem');
  const list = useRedemptionsOf(useMe().id);
  return (
    <ListProvider value={list}>
      <ListCard label={t('recurring.history')}>
        <h2 className="pt-6 px-6 pb-4 phone:pt-4 phone:px-4 phone:pb-2">
          {t('recurring.history')}
        </h2>
        <PagedList
          list={list}
          toolbar={null}
          hasFooter={false}
          firstUse={<EmptyPanel icon={<TicketPercent />} title={t('emptyTitle')} />}
        >
          {(rows) => <HistoryRows {...rows} />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function HistoryRows(shown: ShownRows<Redemption>) {
  const isPhone = useIsPhone();
  if (isPhone && shown.rows) return <HistoryItems rows={shown.rows} />;
  return <ListRows {...shown} columns={columns} />;
}

const columns: ListColumn<Redemption>[] = [
  column.name('code', ({ code }) => <TypedText>{code}</TypedText>),
  column.count('credits', ({ credits }) => credits > 0 && <CreditsAdded credits={credits} />, {
    look: 'strong',
  }),
  column.moment('redeemed', ({ redeemed_at }) => redeemed_at),
  column.badge('status', (redemption) => <Outcome {...redemption} />),
];

function CreditsAdded({ credits }: Pick<Redemption, 'credits'>) {
  return `+${useTranslation().t('number', { value: credits })}`;
}

/** The history on a phone: the code and its time, with the added credits or the reason why there are none. */
function HistoryItems({ rows }: { rows: readonly Redemption[] }) {
  const { t } = useTranslation('redeem');
  return (
    <ul
      className="divided pb-2 [&_li]:min-h-15 [&_li]:py-2 [&_li]:px-4"
      aria-label={t('recurring.history')}
    >
      {rows.map((redemption) => (
        <li className="flex items-center justify-between gap-4" key={redemption.id}>
          <span className="grid grid-cols-1 min-w-0 wrap-anywhere">
            <b className="type-strong">
              <TypedText>{redemption.code}</TypedText>
            </b>
            <small>
              <Timestamp value={redemption.redeemed_at} />
            </small>
          </span>
          {redemption.status === 'success' ? (
            <b className="type-strong">
              <CreditsAdded {...redemption} />
            </b>
          ) : (
            <Outcome {...redemption} />
          )}
        </li>
      ))}
    </ul>
  );
}

const redemptions = defineList(redemptionsList, {
  path: '/redeem-code',
  queryKey: ['redemptions', 'list'],
  endpoint: listRedemptions,
  texts: 'redeem',
  fixed: ['status', 'account', 'code'],
});

/** The attempts of one account, even if an administrator could see those of all. */
function useRedemptionsOf(account: string) {
  return useMemo(() => narrowed(redemptions, { account }), [account]);
}
