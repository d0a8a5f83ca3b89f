import { mailedNotices, preferences } from '@linekeeper/contract/lists/preferences.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { fieldProblems, type Issue, type Problem } from '@linekeeper/contract/problems.ts';
import { useQuery } from '@tanstack/react-query';
import {
  BellRing,
  BookOpen,
  Building2,
  DatabaseBackup,
  FlaskConical,
  Info,
  Keyboard,
  Mail,
  Palette,
  Radio,
  Route,
  Smartphone,
  UserPlus,
} from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type * as z from 'zod';
import { useHasPlans, usePlanName } from '#domain/prices/plans.ts';
import { allPricesQuery } from '#domain/prices/prices.ts';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { TextBox } from '#kit/forms/fields/text-box.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { type Section, Sections, sectionClass } from '#kit/page/sections.tsx';
import { Card } from '#kit/ui/card.tsx';
import { CheckPill } from '#kit/ui/controls/pills.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { useControlKey } from '#platform/browser/control-key.ts';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';
import { useCan, useMe } from '#platform/data/session.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { minorOfTyped, typedPrice } from '#platform/format/money.ts';
import { useCodeText } from '#platform/i18n/use-error-text.ts';
import { BackupsCard } from './backups-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { hourOfDay, hourOptions } from './hour-of-day.ts';
import { LookCard } from './look-card.tsx';
import { NoMailNote } from './no-mail-note.tsx';
import { PanelSettings } from './panel-settings.tsx';
import { useSavePreferences } from './use-save-preferences.ts';

export function SettingsPage() {
  const { t } = useTranslation('settings');
  const { is_admin } = useMe();
  const canSell = useCan(['view_users']);
  const own: Section[] = [
    {
      id: 'look',
      text: t('look.title'),
      icon: Palette,
      content: <LookCard />,
      heading: t('yours'),
    },
    ...(canSell
      ? [{ id: 'sales', text: t('recurring.sales'), icon: Route, content: <SalesCard /> }]
      : []),
    { id: 'keyboard', text: t('shortcuts.title'), icon: Keyboard, content: <KeyboardCard /> },
    { id: 'mails', text: t('mails.title'), icon: Mail, content: <MailsCard /> },
    { id: 'devices', text: t('devices.title'), icon: Smartphone, content: <DevicesCard /> },
    { id: 'reminders', text: t('reminders.title'), icon: BellRing, content: <RemindersCard /> },
  ];
  const forEveryone = [
    { id: 'panel', text: t('panel.title'), icon: Building2, heading: t('everyone') },
    { id: 'reminder-hour', text: t('field.reminder_hour'), icon: BellRing },
    { id: 'trials', text: t('trials.title'), icon: FlaskConical },
    { id: 'sign-up', text: t('signUp.title'), icon: UserPlus },
    { id: 'articles', text: t('nav.knowledgeBase'), icon: BookOpen },
    { id: 'presence', text: t('presence.title'), icon: Radio },
    { id: 'backups', text: t('backups.title'), icon: DatabaseBackup },
    { id: 'version', text: t('panelVersion.title'), icon: Info },
  ];
  return (
    <>
      <PageHeader />
      {is_admin ? (
        <Sections sections={own} links={forEveryone}>
          <PanelSettings />
          <div id="backups" tabIndex={-1} className={sectionClass}>
            <BackupsCard />
          </div>
        </Sections>
      ) : (
        <Sections sections={own} />
      )}
    </>
  );
}

function KeyboardCard() {
  const { t } = useTranslation('settings');
  const { shortcuts } = usePreferences();
  const save = useSavePreferences();
  const canSell = useCan(['view_users']);
  const palette = `${useControlKey()} K`;
  const keys = [
    { key: palette, text: t('header.search') },
    ...(canSell
      ? [
          { key: '/', text: t('shortcuts.search') },
          { key: 'n', text: t('shortcuts.addLine') },
        ]
      : []),
    { key: '?', text: t('keyboard.all') },
  ];
  return (
    <Card title={t('shortcuts.title')}>
      <SwitchRow
        label={t('keyboard.shortcuts')}
        hint={t('keyboard.hint', { key: palette })}
        checked={shortcuts}
        onChange={(isOn) => save({ shortcuts: isOn }, { shortcuts })}
      />
      <dl className="grid grid-cols-2 phone:grid-cols-1 gap-y-0 gap-x-6 mt-2 [&>div]:min-h-10 [&>div]:border-t [&>div]:border-t-divider [&_kbd]:py-0.5 [&_kbd]:px-2 [&_kbd]:whitespace-nowrap">
        {keys.map(({ key, text }) => (
          <div className="flex items-center justify-between gap-3" key={key}>
            <dt className="text-inherit">{text}</dt>
            <dd>
              <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function MailsCard() {
  const { t } = useTranslation('settings');
  const me = useMe();
  const { mails } = usePreferences();
  const save = useSavePreferences();
  return (
    <Card title={t('mails.title')}>
      <p className="-mt-4 mb-4 text-text-2 wrap-anywhere">{t('mails.to', { email: me.email })}</p>
      <NoMailNote />
      {mailedNotices
        .filter(({ access }) => can(me, access))
        .map(({ name: notice }) => (
          <SwitchRow
            key={notice}
            label={t(`mails.${notice}`)}
            checked={mails[notice]}
            onChange={(isOn) =>
              save({ mails: { [notice]: isOn } }, { mails: { [notice]: mails[notice] } })
            }
          />
        ))}
    </Card>
  );
}

const offeredDays = [30, 14, 7, 3, 1, 0];

function RemindersCard() {
  const { t } = useTranslation('settings');
  const hasLines = useCan(['view_users']);
  const { low_balance } = usePreferences();
  const { data } = useQuery(publicSettingsQuery());
  const when = data && { hour: hourOfDay(data.reminder_hour), zone: data.time_zone };
  return (
    <Card title={t('reminders.title')}>
      {hasLines && when && (
        <p className="-mt-4 mb-4 text-text-2 wrap-anywhere">{t('reminders.hint', when)}</p>
      )}
      <div className="grid grid-cols-1 gap-6">
        {hasLines && <OwnReminderDays />}
        {hasLines && <CustomerMails />}
        {/* A new key resets the field when the mark was changed elsewhere. */}
        <LowBalance key={low_balance} />
      </div>
    </Card>
  );
}

function OwnReminderDays() {
  const { t } = useTranslation('settings');
  const { reminder_days } = usePreferences();
  const save = useSavePreferences();
  const choose = (chosen: number[]) => {
    save({ reminder_days: chosen }, { reminder_days });
  };
  return <DaysChoice legend={t('reminders.days')} chosen={reminder_days} onChange={choose} />;
}

/** Reminders that customers get by email without the seller. */
function CustomerMails() {
  const { t } = useTranslation('settings');
  const id = useId();
  const { customer_mails: mails } = usePreferences();
  const { change } = useChangePreferences();
  const setHour = (index: 0 | 1, value: string | undefined) => {
    if (!mails || value === undefined) return;
    const [from, until] = mails.hours;
    const hours: [number, number] = index === 0 ? [Number(value), until] : [from, Number(value)];
    change({ customer_mails: { ...mails, hours } });
  };
  return (
    <div className="grid grid-cols-1 gap-4">
      <SwitchRow
        label={t('customerMails.title')}
        hint={t('customerMails.hint')}
        checked={mails !== null}
        onChange={(isOn) =>
          change({ customer_mails: isOn ? { days: [3, 1], hours: [21, 9] } : null })
        }
      />
      {mails && (
        <>
          <DaysChoice
            legend={t('customerMails.days')}
            chosen={mails.days}
            onChange={(days) => days.length > 0 && change({ customer_mails: { ...mails, days } })}
          />
          <div className="grid grid-cols-2 gap-4 max-w-85">
            {([0, 1] as const).map((index) => (
              <span key={index} className="grid gap-1">
                <span id={`${id}-${index}-label`}>
                  {t(index === 0 ? 'customerMails.quietFrom' : 'customerMails.quietUntil')}
                </span>
                <SelectBox
                  id={`${id}-${index}`}
                  value={String(mails.hours[index])}
                  options={hourOptions}
                  onChange={(value) => setHour(index, value)}
                />
              </span>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

interface DaysChoiceProps {
  legend: string;
  chosen: readonly number[];
  onChange: (days: number[]) => void;
}

function DaysChoice({ legend, chosen, onChange }: DaysChoiceProps) {
  const { t } = useTranslation('settings');
  const days = [...new Set([...offeredDays, ...chosen])].sort((a, b) => b - a);
  return (
    <fieldset className="flex flex-wrap items-stretch gap-2 [&_legend]:[float:inline-start] [&_legend]:w-full">
      <legend>{legend}</legend>
      {days.map((day) => (
        <CheckPill
          key={day}
          checked={chosen.includes(day)}
          onChange={(isChosen) => {
            const others = chosen.filter((one) => one !== day);
            onChange((isChosen ? [...others, day] : others).sort((a, b) => b - a));
          }}
        >
          {day === 0 ? t('reminders.onTheDay') : t('number', { value: day })}
        </CheckPill>
      ))}
    </fieldset>
  );
}

/** The card with the prefix of proposed names. */
function SalesCard() {
  const { t } = useTranslation('settings');
  const { name_prefix, kept_credits } = usePreferences();
  const save = useSavePreferences();
  return (
    <Card title={t('recurring.sales')}>
      <div className="grid grid-cols-1 gap-6">
        <SavedText
          key={name_prefix}
          name="name_prefix"
          label={t('sales.prefix')}
          hint={t('sales.prefixHint')}
          saved={name_prefix}
          parse={(text) => preferences.shape.name_prefix.safeParse(text || null)}
          onChange={(prefix) => save({ name_prefix: prefix }, { name_prefix })}
        />
        <SavedText
          key={`kept ${kept_credits}`}
          type="number"
          name="kept_credits"
          label={t('sales.keptCredits')}
          hint={t('sales.keptCreditsHint')}
          saved={kept_credits}
          parse={(text) => preferences.shape.kept_credits.safeParse(Number(text))}
          onChange={(credits) => save({ kept_credits: credits }, { kept_credits })}
        />
        <BookSettings />
      </div>
    </Card>
  );
}

/** The typed price in hundredths; null for an empty text. An invalid text is refused. */
const minorOrNull = (text: string) =>
  preferences.shape.credit_minor.safeParse(text === '' ? null : minorOfTyped(text));

const shownPrice = (minor: number | null | undefined) =>
  minor === null || minor === undefined ? null : typedPrice(minor);

/** The settings of the seller's bookkeeping: a currency, the cost of a credit, and a price for each term. */
function BookSettings() {
  const { t } = useTranslation('settings');
  const { currency, credit_minor, own_prices } = usePreferences();
  const { change } = useChangePreferences();
  const { data: prices = [] } = useQuery(allPricesQuery());
  const planName = usePlanName();
  const hasPlans = useHasPlans();
  // A plan without a name is not offered and has no lines.
  const groups = [...Map.groupBy(prices, ({ plan_id }) => plan_id)].filter(
    ([plan_id]) => !hasPlans || planName(plan_id) !== '',
  );
  const isOf = (plan_id: string, months: number) => (one: { plan_id: string; months: number }) =>
    one.plan_id === plan_id && one.months === months;
  return (
    <>
      <SavedText
        key={`currency ${currency}`}
        name="currency"
        label={t('field.currency')}
        hint={t('book.currencyHint')}
        saved={currency}
        parse={(text) => preferences.shape.currency.safeParse(text || null)}
        onChange={(value) => change({ currency: value })}
      />
      <SavedText
        key={`credit ${credit_minor}`}
        name="credit_minor"
        label={t('book.credit')}
        hint={t('book.creditHint')}
        saved={credit_minor}
        show={shownPrice}
        parse={minorOrNull}
        onChange={(minor) => change({ credit_minor: minor })}
      />
      <fieldset className="grid gap-4 max-w-85 [&_legend]:mb-2">
        <legend>{t('book.prices')}</legend>
        {groups.map(([plan_id, terms]) => (
          <div key={plan_id} className="grid grid-cols-2 items-end gap-4">
            {terms.map(({ months }) => {
              const saved = own_prices.find(isOf(plan_id, months))?.price_minor ?? null;
              const term = t('credits.months', { count: months });
              return (
                <SavedText
                  key={`${months} ${saved}`}
                  name={`price-${plan_id}-${months}`}
                  label={hasPlans ? `${planName(plan_id)}, ${term}` : term}
                  hint=""
                  saved={saved}
                  show={shownPrice}
                  parse={minorOrNull}
                  onChange={(price_minor) =>
                    change({
                      own_prices: [
                        ...own_prices.filter((one) => !isOf(plan_id, months)(one)),
                        ...(price_minor === null ? [] : [{ plan_id, months, price_minor }]),
                      ],
                    })
                  }
                />
              );
            })}
          </div>
        ))}
      </fieldset>
    </>
  );
}

function LowBalance() {
  const { t } = useTranslation('settings');
  const { low_balance } = usePreferences();
  const save = useSavePreferences();
  return (
    <SavedText
      type="number"
      name="low_balance"
      label={t('reminders.lowBalance')}
      hint={t('reminders.lowBalanceHint')}
      saved={low_balance}
      parse={(text) => preferences.shape.low_balance.safeParse(text === '' ? null : Number(text))}
      onChange={(balance) => save({ low_balance: balance }, { low_balance })}
    />
  );
}

interface SavedTextProps<Value> {
  type?: 'text' | 'number';
  name: string;
  label: string;
  hint: string;
  saved: Value;
  /** The text of the saved value; by default the value itself. */
  show?: (saved: Value) => string | null;
  parse: (text: string) => z.ZodSafeParseResult<Value>;
  onChange: (value: Value) => void;
}

/** A field that is saved when it is left; empty for no value. */
function SavedText<Value extends string | number | null>(props: SavedTextProps<Value>) {
  const { type = 'text', name, label, hint, saved, show, parse, onChange } = props;
  const id = useId();
  const codeText = useCodeText();
  const [text, setText] = useState(String((show ? show(saved) : saved) ?? ''));
  const [problem, setProblem] = useState<Problem>();
  const save = () => {
    const parsed = parse(text.trim());
    setProblem(
      parsed.success ? undefined : fieldProblems(parsed.error.issues as readonly Issue[]).get(''),
    );
    if (parsed.success && parsed.data !== saved) onChange(parsed.data);
  };
  return (
    <form
      className="max-w-85"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextBox
        type={type}
        frame={{
          id,
          helpId: `${id}-help`,
          label,
          hint,
          errorText: problem && codeText(problem.code, problem.data),
        }}
        input={{
          id,
          name,
          ref: null,
          value: text,
          onBlur: save,
          onChange: ({ target }) => setText(target.value),
          'aria-invalid': problem ? true : undefined,
          'aria-required': undefined,
          'aria-describedby': `${id}-help`,
        }}
        autoComplete="off"
        maxLength={type === 'number' ? 10 : 20}
      />
    </form>
  );
}
