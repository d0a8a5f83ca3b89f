import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { ArrowRight, Coins } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { left } from '#domain/prices/balance-rows.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { Caption, Grid, Row, Stack, Strong } from '#kit/ui/vocabulary.tsx';
import { useMe } from '#platform/data/session.ts';
import styles from './credits-dialog.module.css';

interface CreditsSidesProps {
  account: Account;
  /** undefined as long as none is entered. */
  amount: number | undefined;
  isAdding: boolean;
}

/** The payer and the receiver, each with the balance before and after. */
export function CreditsSides({ account, amount, isAdding }: CreditsSidesProps) {
  const { t } = useTranslation('account');
  const me = useMe();
  const place = (isPayer: boolean) => (isPayer ? t('sides.from') : t('sides.to'));
  const theirs = (
    <Side
      place={place(!isAdding)}
      accountId={account.id}
      name={account.full_name || account.email}
      text={account.full_name ? account.email : ''}
      balance={account.credits}
      change={amount && (isAdding ? amount : -amount)}
    />
  );
  // Administrators have no counted balance: what they add is new, and what they take back is gone.
  const own = me.is_admin ? (
    <Issue place={place(isAdding)} isAdding={isAdding} />
  ) : (
    <Side
      place={place(isAdding)}
      accountId={me.id}
      name={me.full_name || me.email}
      text={t('sides.you')}
      balance={me.credits}
      change={amount && (isAdding ? -amount : amount)}
    />
  );
  return (
    <Grid
      columns="minmax(0, 1fr) auto minmax(0, 1fr)"
      align="center"
      gap={8}
      single="phone"
      className={styles.sides}
    >
      {isAdding ? own : theirs}
      <ArrowRight size={20} />
      {isAdding ? theirs : own}
    </Grid>
  );
}

interface SideProps {
  place: string;
  accountId: string;
  name: string;
  text: string;
  balance: number;
  /** Signed. */
  change: number | undefined;
}

function Side({ place, accountId, name, text, balance, change }: SideProps) {
  const { t } = useTranslation('account');
  const number = (value: number | undefined) =>
    value === undefined ? '–' : t('number', { value: Math.abs(value) });
  const after = change && left(balance, -change);
  const sign = change === undefined ? '' : change > 0 ? '+' : '−';
  return (
    <section className={styles.side} aria-label={`${place} ${name}`}>
      <Party place={place} name={<TypedText>{name}</TypedText>} text={text}>
        <Avatar accountId={accountId} name={name} size={32} />
      </Party>
      <Stack as="dl" gap={2} above={12} aria-live="polite">
        <Row align="stretch" gap={8} justify="between">
          <dt>{t('field.balance')}</dt>
          <Strong as="dd">{number(balance)}</Strong>
        </Row>
        <Row align="stretch" gap={8} justify="between">
          <dt>{t(change !== undefined && change < 0 ? 'sides.taken' : 'sides.added')}</dt>
          <Strong as="dd" tone={change !== undefined && change > 0 ? 'success' : undefined}>
            {sign}
            {number(change)}
          </Strong>
        </Row>
        <Row align="stretch" gap={8} justify="between">
          <dt>{t('field.after')}</dt>
          <Strong as="dd" tone={after !== undefined && after < 0 ? 'danger' : undefined}>
            {after !== undefined && after < 0 && '−'}
            {number(after)}
          </Strong>
        </Row>
      </Stack>
    </section>
  );
}

function Issue({ place, isAdding }: { place: string; isAdding: boolean }) {
  const { t } = useTranslation('account');
  const name = t(isAdding ? 'sides.issued' : 'sides.retired');
  return (
    <section className={styles.side} aria-label={`${place} ${name}`}>
      <Party place={place} name={name} text="">
        <span className={styles.issue} aria-hidden="true">
          <Coins size={18} />
        </span>
      </Party>
      <Caption as="p">{t(isAdding ? 'sides.issuedText' : 'sides.retiredText')}</Caption>
    </section>
  );
}

interface PartyProps {
  place: string;
  name: ReactNode;
  text: string;
  children: ReactNode;
}

function Party({ place, name, text, children }: PartyProps) {
  return (
    <div className={styles.party}>
      <small>{place}</small>
      {children}
      <Stack as="span" wraps>
        <b>{name}</b>
        {text && <small>{text}</small>}
      </Stack>
    </div>
  );
}
