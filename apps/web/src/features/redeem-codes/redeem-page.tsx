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
import { ListProvider, useListPage } from '#kit/list/use-list.ts';
import { PageHeader } from '#kit/page/page-header.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { EmptyPanel } from '#kit/ui/states/empty-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Divided, Grid, Muted, Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { useMe } from '#platform/data/session.ts';
import { Outcome } from './outcome.tsx';
import styles from './redeem.module.css';

export function RedeemPage() {
  return (
    <>
      <PageHeader />
      <Grid columns="344px minmax(0, 1fr)" align="start" gap={24} single="tablet" phoneGap={16}>
        <RedeemCard />
        <RedemptionHistory />
      </Grid>
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
      <Form submission={submission} label={t('title')} className={styles.form}>
        <FormProblems form={form} />
        <TextInput
          {...field('code')}
          label={t('form.code')}
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
            <Banner tone="success" icon={<CircleCheck />} title={t('done', { count: added })} />
          )}
        </div>
        <BalanceHint />
      </Form>
    </Card>
  );
}

function BalanceHint() {
  const { t } = useTranslation('redeem');
  const { credits, is_admin } = useMe();
  const balance = t('credits.amount', { count: credits });
  return <Caption as="p">{t(is_admin ? 'form.adminHint' : 'form.hint', { balance })}</Caption>;
}

function RedemptionHistory() {
  const { t } = useTranslation('redeem');
  const list = useRedemptionsOf(useMe().id);
  return (
    <ListProvider value={list}>
      <ListCard label={t('history')}>
        <HistoryHead />
        <PagedList
          list={list}
          toolbar={null}
          hasFooter={false}
          firstUse={
            <EmptyPanel icon={<TicketPercent />} title={t('emptyTitle')} text={t('emptyText')} />
          }
        >
          {(rows) => <HistoryRows {...rows} />}
        </PagedList>
      </ListCard>
    </ListProvider>
  );
}

function HistoryHead() {
  const { t } = useTranslation('redeem');
  const { page } = useListPage(useRedemptionsOf(useMe().id));
  // The reply has the sum beside what every list has.
  const { credits = 0 } = (page ?? {}) as { credits?: number };
  return (
    <Row gap="4 16" justify="between" wrap className={styles.head}>
      <h2>{t('history')}</h2>
      {credits > 0 && <Muted>{t('fromCodes', { count: credits })}</Muted>}
    </Row>
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

/** On a phone: what was added, or that nothing was, beside code and time. */
function HistoryItems({ rows }: { rows: readonly Redemption[] }) {
  const { t } = useTranslation('redeem');
  return (
    <Divided className={styles.items} aria-label={t('history')}>
      {rows.map((redemption) => (
        <Row as="li" gap={16} justify="between" key={redemption.id}>
          <Stack as="span" wraps>
            <Strong>
              <TypedText>{redemption.code}</TypedText>
            </Strong>
            <small>
              <Timestamp value={redemption.redeemed_at} />
            </small>
          </Stack>
          {redemption.status === 'success' ? (
            <Strong>
              <CreditsAdded {...redemption} />
            </Strong>
          ) : (
            <Outcome {...redemption} />
          )}
        </Row>
      ))}
    </Divided>
  );
}

const redemptions = defineList(redemptionsList, {
  path: '/redeem-code',
  queryKey: ['redemptions', 'list'],
  endpoint: listRedemptions,
  texts: 'redeem',
  fixed: ['status', 'account', 'code'],
});

/** The tries of one account, also where an administrator could see everybody's. */
function useRedemptionsOf(account: string) {
  return useMemo(() => narrowed(redemptions, { account }), [account]);
}
