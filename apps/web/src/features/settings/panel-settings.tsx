import {
  editSettings,
  getSettings,
  type Settings,
  settingsChanges,
} from '@linekeeper/contract/settings.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Control, type UseFormReturn, useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { changedFields } from '#kit/forms/changed-fields.ts';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { useField } from '#kit/forms/fields/use-field.ts';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import { useContractForm } from '#kit/forms/use-contract-form.ts';
import { useSubmit } from '#kit/forms/use-submit.ts';
import { sectionClass } from '#kit/page/sections.tsx';
import { Card } from '#kit/ui/card.tsx';
import { SwitchRow } from '#kit/ui/controls/switch-row.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { publicSettingsQuery } from '#platform/data/settings.ts';
import { results } from '#platform/state/results.ts';
import { hourOfDay } from './hour-of-day.ts';
import { NoMailNote } from './no-mail-note.tsx';
import { PresenceCard } from './presence-card.tsx';
import { SaveBar } from './save-bar.tsx';
import { VersionCard } from './version-card.tsx';

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
      <div id="panel" tabIndex={-1} className={sectionClass}>
        <PanelCard form={form} />
      </div>
      <div id="reminder-hour" tabIndex={-1} className={sectionClass}>
        <ReminderHourCard form={form} />
      </div>
      <div id="trials" tabIndex={-1} className={sectionClass}>
        <TrialsCard form={form} />
      </div>
      <div id="sign-up" tabIndex={-1} className={sectionClass}>
        <SignUpCard form={form} />
      </div>
      <div id="articles" tabIndex={-1} className={sectionClass}>
        <ArticlesCard form={form} />
      </div>
      <div id="presence" tabIndex={-1} className={sectionClass}>
        <PresenceCard form={form} />
      </div>
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

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: hourOfDay(hour),
}));

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
        options={hours}
      />
    </FieldFrame>
  );
}
