import { mailedNotices, preferences } from '@linekeeper/contract/lists/preferences.ts';
import { can } from '@linekeeper/contract/permissions.ts';
import { fieldProblems, type Issue, type Problem } from '@linekeeper/contract/problems.ts';
import { useQuery } from '@tanstack/react-query';
import {
  BellRing,
  BookOpen,
  Building2,
  FlaskConical,
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
import { TextBox } from '#kit/forms/fields/text-box.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { type Section, Sections } from '#kit/page/sections.tsx';
import { Card } from '#kit/ui/card.tsx';
import { CheckPill } from '#kit/ui/controls/pills.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { useControlKey } from '#platform/browser/control-key.ts';
import { useChangePreferences, usePreferences } from '#platform/data/preferences.ts';
import { useCan, useMe } from '#platform/data/session.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { useCodeText } from '#platform/i18n/use-error-text.ts';
import { DevicesCard } from './devices-card.tsx';
import { hourOfDay } from './hour-of-day.ts';
import { LookCard } from './look-card.tsx';
import { NoMailNote } from './no-mail-note.tsx';
import { PanelSettings } from './panel-settings.tsx';

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
  ];
  return (
    <>
      <PageHeader />
      {is_admin ? (
        <Sections sections={own} links={forEveryone}>
          <PanelSettings />
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
  const { change, offerUndo } = useChangePreferences();
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
        onChange={(isOn) => {
          change({ shortcuts: isOn });
          offerUndo(t('saved'), { shortcuts });
        }}
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
  const { change, offerUndo } = useChangePreferences();
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
            onChange={(isOn) => {
              change({ mails: { [notice]: isOn } });
              offerUndo(t('saved'), { mails: { [notice]: mails[notice] } });
            }}
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
        {hasLines && <DaysChoice />}
        {/* A new key resets the field when the mark was changed elsewhere. */}
        <LowBalance key={low_balance} />
      </div>
    </Card>
  );
}

function DaysChoice() {
  const { t } = useTranslation('settings');
  const { reminder_days } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  const days = [...new Set([...offeredDays, ...reminder_days])].sort((a, b) => b - a);
  const choose = (chosen: number[]) => {
    change({ reminder_days: chosen });
    offerUndo(t('saved'), { reminder_days });
  };
  return (
    <fieldset className="flex flex-wrap items-stretch gap-2 [&_legend]:[float:inline-start] [&_legend]:w-full">
      <legend>{t('reminders.days')}</legend>
      {days.map((day) => (
        <CheckPill
          key={day}
          checked={reminder_days.includes(day)}
          onChange={(isChosen) => {
            const others = reminder_days.filter((one) => one !== day);
            choose((isChosen ? [...others, day] : others).sort((a, b) => b - a));
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
  const { change, offerUndo } = useChangePreferences();
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
          onChange={(prefix) => {
            change({ name_prefix: prefix });
            offerUndo(t('saved'), { name_prefix });
          }}
        />
        <SavedText
          key={`kept ${kept_credits}`}
          type="number"
          name="kept_credits"
          label={t('sales.keptCredits')}
          hint={t('sales.keptCreditsHint')}
          saved={kept_credits}
          parse={(text) => preferences.shape.kept_credits.safeParse(Number(text))}
          onChange={(credits) => {
            change({ kept_credits: credits });
            offerUndo(t('saved'), { kept_credits });
          }}
        />
      </div>
    </Card>
  );
}

function LowBalance() {
  const { t } = useTranslation('settings');
  const { low_balance } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  return (
    <SavedText
      type="number"
      name="low_balance"
      label={t('reminders.lowBalance')}
      hint={t('reminders.lowBalanceHint')}
      saved={low_balance}
      parse={(text) => preferences.shape.low_balance.safeParse(text === '' ? null : Number(text))}
      onChange={(balance) => {
        change({ low_balance: balance });
        offerUndo(t('saved'), { low_balance });
      }}
    />
  );
}

interface SavedTextProps<Value> {
  type?: 'text' | 'number';
  name: string;
  label: string;
  hint: string;
  saved: Value;
  parse: (text: string) => z.ZodSafeParseResult<Value>;
  onChange: (value: Value) => void;
}

/** A field that is saved when it is left; empty for no value. */
function SavedText<Value extends string | number | null>(props: SavedTextProps<Value>) {
  const { type = 'text', name, label, hint, saved, parse, onChange } = props;
  const id = useId();
  const codeText = useCodeText();
  const [text, setText] = useState(saved === null ? '' : String(saved));
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
