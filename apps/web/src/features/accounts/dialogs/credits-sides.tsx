import type { Account } from '@linekeeper/contract/accounts/accounts.ts';
import { ArrowRight, Coins } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { left } from '#domain/prices/balance-rows.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';

interface CreditsSidesProps {
  account: Account;
  /** The amount; undefined while none is entered. */
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
  // Administrators have no counted balance: credits that they add are issued, and credits that they
  // take back are withdrawn.
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
    <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-center gap-2 phone:grid-cols-1 [&>svg]:text-icon phone:[&>svg]:justify-self-center phone:[&>svg]:[rotate:90deg]">
      {isAdding ? own : theirs}
      <ArrowRight size={20} />
      {isAdding ? theirs : own}
    </div>
  );
}

interface SideProps {
  place: string;
  accountId: string;
  name: string;
  text: string;
  balance: number;
  /** The change of the balance, with its sign; undefined while no amount is entered. */
  change: number | undefined;
}

/** The box of one side of a transfer. */
const SIDE =
  'self-stretch min-w-0 py-3 px-4 border border-divider-strong rounded-control phone:p-3';
/** The look of a number with its name; on a phone three are in one row. */
const NUMBER = 'flex items-stretch justify-between gap-2 phone:block';

function Side({ place, accountId, name, text, balance, change }: SideProps) {
  const { t } = useTranslation('account');
  const number = (value: number | undefined) =>
    value === undefined ? '–' : t('number', { value: Math.abs(value) });
  const after = change && left(balance, -change);
  const sign = change === undefined ? '' : change > 0 ? '+' : '−';
  return (
    <section className={SIDE} aria-label={`${place} ${name}`}>
      <Party place={place} name={<TypedText>{name}</TypedText>} text={text}>
        <Avatar accountId={accountId} name={name} size={32} />
      </Party>
      <dl
        className="grid grid-cols-1 gap-0.5 mt-3 pt-3 border-t border-t-divider phone:grid-cols-3 phone:mt-2 phone:pt-2"
        aria-live="polite"
      >
        <div className={NUMBER}>
          <dt className="phone:type-caption">{t('field.balance')}</dt>
          <dd className="type-strong">{number(balance)}</dd>
        </div>
        <div className={`${NUMBER} phone:text-center`}>
          <dt className="phone:type-caption">
            {t(change !== undefined && change < 0 ? 'sides.taken' : 'sides.added')}
          </dt>
          <dd
            className={`type-strong ${change !== undefined && change > 0 ? 'text-success-fg' : ''}`}
          >
            {sign}
            {number(change)}
          </dd>
        </div>
        <div className={`${NUMBER} phone:text-end`}>
          <dt className="text-text font-semibold phone:type-caption">{t('field.after')}</dt>
          <dd className={`type-strong ${after !== undefined && after < 0 ? 'text-danger' : ''}`}>
            {after !== undefined && after < 0 && '−'}
            {number(after)}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Issue({ place, isAdding }: { place: string; isAdding: boolean }) {
  const { t } = useTranslation('account');
  const name = t(isAdding ? 'sides.issued' : 'sides.retired');
  return (
    <section className={SIDE} aria-label={`${place} ${name}`}>
      <Party place={place} name={name} text="">
        <span
          className="grid place-items-center w-8 h-8 rounded-[50%] bg-primary-soft text-primary-dark"
          aria-hidden="true"
        >
          <Coins size={18} />
        </span>
      </Party>
      <p className="mt-3 pt-3 border-t border-t-divider text-text-2 type-caption">
        {t(isAdding ? 'sides.issuedText' : 'sides.retiredText')}
      </p>
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
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-y-1 gap-x-3 [&_small]:overflow-hidden [&_small]:text-ellipsis [&>small]:col-span-full">
      <small>{place}</small>
      {children}
      <span className="grid grid-cols-1 min-w-0 wrap-anywhere">
        <b>{name}</b>
        {text && <small>{text}</small>}
      </span>
    </div>
  );
}
