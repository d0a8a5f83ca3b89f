import { serveWays } from '@linekeeper/contract/credits/plans.ts';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectInput } from '#kit/forms/fields/select-input.tsx';
import { TextInput } from '#kit/forms/fields/text-input.tsx';
import { Form } from '#kit/forms/form.tsx';
import { FormProblems } from '#kit/forms/form-problems.tsx';
import type { Submission } from '#kit/forms/use-submit.ts';
import { FootBar } from '#kit/page/foot-bar.tsx';
import { Card } from '#kit/ui/card.tsx';
import { RadioPill } from '#kit/ui/controls/pills.tsx';
import { Switch } from '#kit/ui/controls/switch-row.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import type { PlanFormOf } from './plan-form.ts';
import { PlanServers } from './plan-servers.tsx';

export const PLAN_FORM_ID = 'plan';

interface PlanCardProps {
  form: PlanFormOf;
  submission: Submission;
  title: string;
  /** The number of plans, including this one. */
  places: number;
  /** A note above the buttons. */
  note?: ReactNode;
  submit: ReactNode;
  cancel?: ReactNode;
  /** Content at the other end of the buttons. */
  end?: ReactNode;
}

/** The form of a plan; on a phone its button is at the bottom of the window. */
export function PlanCard(props: PlanCardProps) {
  const { form, submission, title, places, note, submit, cancel, end } = props;
  const isPhone = useIsPhone();
  return (
    <Card>
      <Form id={PLAN_FORM_ID} submission={submission} label={title}>
        <FormProblems form={form} />
        <div className="flex items-center justify-between gap-4 min-h-8">
          <h2 className="only-wide min-w-0 wrap-anywhere">
            <TypedText>{title}</TypedText>
          </h2>
          <OfferedSwitch form={form} />
        </div>
        <Texts form={form} places={places} />
        <ServeChoice form={form} />
        <PlanServers form={form} />
        {note}
        {isPhone ? (
          <FootBar label={title}>
            {submit}
            {cancel}
          </FootBar>
        ) : null}
        {(!isPhone || end) && (
          <div className="flex flex-wrap items-center justify-end gap-2">
            <span className="me-auto -ms-2">{end}</span>
            {!isPhone && cancel}
            {!isPhone && submit}
          </div>
        )}
      </Form>
    </Card>
  );
}

interface PartProps {
  form: PlanFormOf;
}

function OfferedSwitch({ form: { watch, setValue } }: PartProps) {
  const { t } = useTranslation('prices');
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="flex items-center gap-3 ms-auto text-text-2 cursor-pointer phone:flex-1 phone:justify-between phone:text-text phone:font-semibold"
    >
      {t('plans.isOffered')}
      <Switch
        id={id}
        checked={watch('is_offered')}
        onChange={(isOn) => setValue('is_offered', isOn, { shouldDirty: true })}
      />
    </label>
  );
}

function Texts({ form: { control }, places }: PartProps & { places: number }) {
  const { t } = useTranslation('prices');
  const options = Array.from({ length: places }, (_, index) => ({
    value: String(index + 1),
    label: t('plans.place', { place: index + 1, count: places }),
  }));
  return (
    <>
      <div
        className={`grid ${places > 1 ? 'grid-cols-[minmax(0,1fr)_200px]' : 'grid-cols-1'} items-start gap-4 phone:grid-cols-1`}
      >
        <TextInput
          control={control}
          name="name"
          label={t('field.nameOfThing')}
          autoComplete="off"
          maxLength={100}
          required
        />
        {places > 1 && (
          <SelectInput
            control={control}
            name="place"
            label={t('plans.position')}
            options={options}
          />
        )}
      </div>
      <TextInput
        control={control}
        name="description"
        label={t('plans.description')}
        autoComplete="off"
        maxLength={300}
      />
    </>
  );
}

/** The ways to divide lines, with "all servers" first, because most plans with several servers need that. */
const ways = ['all', ...serveWays.filter((way) => way !== 'all')] as const;

function ServeChoice({ form: { watch, setValue } }: PartProps) {
  const { t } = useTranslation('prices');
  const id = useId();
  const chosen = watch('serves');
  const count = watch('servers').length;
  return (
    <fieldset className="[&_legend]:mb-2 [&_legend]:type-strong">
      <legend>{t('plans.serves.legend')}</legend>
      <div className="flex flex-wrap gap-2">
        {ways.map((way) => (
          <RadioPill
            key={way}
            size="medium"
            name={id}
            checked={chosen === way}
            onChange={() => setValue('serves', way, { shouldDirty: true })}
          >
            {way === 'all' && count > 1
              ? t('plans.serves.several', { count })
              : t(`plans.serves.${way}`)}
          </RadioPill>
        ))}
      </div>
    </fieldset>
  );
}
