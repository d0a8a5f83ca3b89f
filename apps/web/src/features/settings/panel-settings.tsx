import { formatDay } from '@linekeeper/contract/dates.ts';
import {
  editSettings,
  getSettings,
  keptAddresses,
  type Settings,
  settingsChanges,
} from '@linekeeper/contract/settings.ts';
import { getVersion } from '@linekeeper/contract/system.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Control, type UseFormReturn, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { SelectBox, SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { useField } from '#kit/forms/fields/use-field.ts';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { SubmitButton } from '#kit/forms/submit-button.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { type Submission, useSubmit } from '#kit/forms/use-submit.ts';
import { Markdown } from '#kit/markdown/markdown.tsx';
import { sectionClass } from '#kit/page/sections.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { results } from '#platform/state/results.ts';
import { hourOfDay, hourOptions } from './hour-of-day.ts';
import { NoMailNote } from './no-mail-note.tsx';

type Values = Partial<Settings>;
type SettingsForm = UseFormReturn<Values, unknown, Values>;

/** Settings by administrators for all accounts. The cards are one form with one button. */
export function PanelSettings() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(callQuery('settings', getSettings));
  return (
    <>
      <h2 className="mt-2">{t('everyone')}</h2>
      {data ? (
        <PanelForm settings={data} />
      ) : (
        <Card flush className="min-h-60">
          {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
        </Card>
      )}
      <div id="version" tabIndex={-1} className={sectionClass}>
        <VersionCard />
      </div>
    </>
  );
}

/** The cards of the form, by their ids in the address. */
const cards = {
  panel: PanelCard,
  'reminder-hour': ReminderHourCard,
  trials: TrialsCard,
  'sign-up': SignUpCard,
  articles: ArticlesCard,
  presence: PresenceCard,
};

function PanelForm({ settings }: { settings: Settings }) {
  const { t } = useTranslation('settings');
  const form: SettingsForm = useContractForm({ schema: settingsChanges, values: settings });
  // Sets the stored values and discards typed ones; stored values that change elsewhere keep typed ones.
  const beginWith = (stored: Settings) =>
    form.reset(stored, { keepDirtyValues: false, keepErrors: false });
  const submission = useSubmit({
    form,
    // The navigation and the title show the saved settings immediately.
    command: useCommand(editSettings, { refreshes: ['settings'], waits: true }),
    bodyOf: (values) => changedFields(values, form.getValues(), form.formState.defaultValues),
    done: (saved) => {
      beginWith(saved);
      results.success(t('panel.saved'));
    },
  });
  return (
    <Form
      submission={submission}
      label={t('everyone')}
      className="[--covered-bottom:88px] grid grid-cols-1 gap-(--card-pad) phone:[--covered-bottom:144px]"
    >
      <FormProblems form={form} />
      {Object.entries(cards).map(([id, Part]) => (
        <div key={id} id={id} tabIndex={-1} className={sectionClass}>
          <Part form={form} />
        </div>
      ))}
      <SaveBar form={form} submission={submission} onDiscard={() => beginWith(settings)} />
    </Form>
  );
}

function PanelCard({ form: { control } }: { form: SettingsForm }) {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('panel.title')}>
      <div className="grid grid-cols-1 gap-6">
        <TextInput
          control={control}
          name="site_name"
          label={t('fields.site_name')}
          autoComplete="off"
          maxLength={60}
          required
        />
        <TextInput
          control={control}
          name="legal_notice"
          label={t('fields.legal_notice')}
          maxLength={5000}
          multiline
          rows={3}
        />
        <TextInput
          control={control}
          name="bank_details"
          label={t('fields.bank_details')}
          maxLength={1000}
          multiline
          rows={3}
        />
      </div>
    </Card>
  );
}

function ReminderHourCard({ form: { control } }: { form: SettingsForm }) {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('field.reminder_hour')}>
      <NoMailNote />
      <ReminderHour control={control} />
    </Card>
  );
}

const limitFields = [
  'trial_limit',
  'trial_daily_limit',
  'trial_name_days',
  'undo_daily_limit',
] as const;

function TrialsCard({ form: { control } }: { form: SettingsForm }) {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('trials.title')}>
      <div className="grid grid-cols-2 items-end gap-4 phone:grid-cols-1">
        {limitFields.map((name) => (
          <TextInput
            key={name}
            control={control}
            name={name}
            label={t(`fields.${name}`)}
            type="number"
            autoComplete="off"
            required
          />
        ))}
      </div>
      <p className="mt-2 mb-4 text-text-2 type-caption">{t('trials.hint')}</p>
      <Link to="/payments/plans" className="link">
        {t('trials.length')}
      </Link>
    </Card>
  );
}

function SignUpCard({ form: { control } }: { form: SettingsForm }) {
  const { t } = useTranslation('settings');
  const { field } = useController({ control, name: 'sign_up_open' });
  return (
    <Card title={t('signUp.title')}>
      <SwitchRow
        label={t('fields.sign_up_open')}
        hint={t('signUp.hint')}
        checked={field.value ?? false}
        onChange={field.onChange}
      />
    </Card>
  );
}

function ArticlesCard({ form: { control } }: { form: SettingsForm }) {
  const { t } = useTranslation('settings');
  const { field } = useController({ control, name: 'articles_public' });
  return (
    <Card title={t('nav.knowledgeBase')}>
      <SwitchRow
        label={t('fields.articles_public')}
        checked={field.value ?? false}
        onChange={field.onChange}
      />
    </Card>
  );
}

function ReminderHour({ control }: { control: Control<Partial<Settings>, unknown> }) {
  const { t } = useTranslation('settings');
  const { data } = useQuery(publicSettingsQuery());
  const { field, frame, input } = useField({
    control,
    name: 'reminder_hour',
    label: t('fields.reminder_hour'),
    hint: t('panel.reminderHourHint', { zone: data?.time_zone ?? '' }),
  });
  return (
    <FieldFrame {...frame}>
      <SelectBox
        {...input}
        value={String(field.value ?? '')}
        onChange={(hour) => field.onChange(Number(hour))}
        onBlur={field.onBlur}
        boxRef={field.ref}
        options={hourOptions}
      />
    </FieldFrame>
  );
}

type Field = Exclude<keyof Settings, 'trial_days'>;

interface SaveBarProps {
  form: SettingsForm;
  submission: Submission;
  onDiscard: () => void;
}

/** The bar with the number of unsaved settings. It stays at the bottom of the window while there are any. */
function SaveBar({ form, submission, onDiscard }: SaveBarProps) {
  const { t } = useTranslation('settings');
  const { dirtyFields, defaultValues } = form.formState;
  const changed = Object.keys(dirtyFields) as Field[];
  if (changed.length === 0) return null;
  const now = form.watch();
  const names = changed.map((field) => {
    const [before, after] = [defaultValues?.[field], now[field]];
    const areNumbers = typeof before === 'number' && typeof after === 'number';
    const number = (value: number) =>
      field === 'reminder_hour' ? hourOfDay(value) : t('number', { value });
    return areNumbers
      ? `${t(`fields.${field}`)} ${number(before)} › ${number(after)}`
      : t(`fields.${field}`);
  });
  return (
    <div className="flex items-center flex-wrap gap-2 sticky bottom-4 z-2 pt-3 pr-4 pb-3 pl-6 rounded-card bg-paper [box-shadow:var(--shade-card),var(--shade-bar)] low:static phone:bottom-0 phone:p-4 phone:[&>button]:flex-1">
      <p className="flex-1 min-w-50 wrap-anywhere phone:basis-full">
        <b>{t('unsaved', { count: changed.length })}</b>{' '}
        <span className="text-text-2">{names.join(', ')}</span>
      </p>
      <Button disabled={submission.isPending} onClick={onDiscard}>
        {t('action.discard')}
      </Button>
      <SubmitButton pending={submission.isPending}>{t('action.save')}</SubmitButton>
    </div>
  );
}

/**
 * The settings about customers online: the stored part of their addresses, the number of networks
 * that a line may use at the same time, and the reaction if it uses more.
 */
function PresenceCard({ form: { control } }: { form: SettingsForm }) {
  const { t } = useTranslation('settings');
  return (
    <Card title={t('presence.title')}>
      <div className="grid grid-cols-1 gap-6">
        <SelectInput
          control={control}
          name="kept_addresses"
          label={t('fields.kept_addresses')}
          hint={t('presence.keptHint')}
          options={keptAddresses.map((value) => ({ value, label: t(`presence.kept.${value}`) }))}
        />
        {(['sharing_connections', 'sharing_suspend_hours'] as const).map((name) => (
          <TextInput
            key={name}
            control={control}
            name={name}
            label={t(`fields.${name}`)}
            hint={t(
              name === 'sharing_connections' ? 'presence.networksHint' : 'presence.suspendHint',
            )}
            type="number"
            autoComplete="off"
            required
          />
        ))}
      </div>
    </Card>
  );
}

/** The panel's version, and what a newer one changes, if one is known. */
function VersionCard() {
  const { t } = useTranslation('settings');
  const { data } = useQuery(callQuery('system', getVersion));
  const { version, newer } = data ?? {};
  return (
    <Card title={t('panelVersion.title')}>
      <p>{version && t('version', { version })}</p>
      {newer && (
        <>
          <p className="mt-2 mb-4 font-semibold">
            {t('panelVersion.available', { version: newer.version, day: formatDay(newer.date) })}
          </p>
          <Markdown text={newer.changelog} />
        </>
      )}
    </Card>
  );
}
