import { preferences } from '@linekeeper/contract/lists/preferences.ts';
import { fieldProblems, type Issue, type Problem } from '@linekeeper/contract/problems.ts';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChangePreferences, usePreferences } from '../../shared/data/preferences.ts';
import { useCan } from '../../shared/data/session.ts';
import { publicSettingsQuery } from '../../shared/data/settings.ts';
import { TextBox } from '../../shared/forms/fields/text-box.tsx';
import { useCodeText } from '../../shared/i18n/use-error-text.ts';
import { Card } from '../../shared/ui/card.tsx';
import { CheckPill } from '../../shared/ui/controls/check-pill.tsx';
import { Row, Stack } from '../../shared/ui/vocabulary.tsx';
import { hourOfDay } from './hour-of-day.ts';
import styles from './settings.module.css';

const offeredDays = [30, 14, 7, 3, 1, 0];

export function RemindersCard() {
  const { t } = useTranslation('settings');
  const hasLines = useCan(['view_users']);
  const { low_balance } = usePreferences();
  const { data } = useQuery(publicSettingsQuery());
  const when = data && { hour: hourOfDay(data.reminder_hour), zone: data.time_zone };
  return (
    <Card title={t('reminders.title')}>
      {hasLines && when && <p className={styles.lead}>{t('reminders.hint', when)}</p>}
      <Stack gap={24}>
        {hasLines && <DaysChoice />}
        {/* A mark that was changed elsewhere begins the field anew. */}
        <LowBalance key={low_balance} />
      </Stack>
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
    <Row as="fieldset" align="stretch" gap={8} wrap className={styles.choices}>
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
    </Row>
  );
}

const mark = preferences.shape.low_balance;

/** Saved when the field is left; empty for no mark. */
function LowBalance() {
  const { t } = useTranslation('settings');
  const id = useId();
  const codeText = useCodeText();
  const { low_balance } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  const [text, setText] = useState(low_balance === null ? '' : String(low_balance));
  const [problem, setProblem] = useState<Problem>();
  const save = () => {
    const typed = text.trim();
    const parsed = mark.safeParse(typed === '' ? null : Number(typed));
    setProblem(
      parsed.success ? undefined : fieldProblems(parsed.error.issues as readonly Issue[]).get(''),
    );
    if (!parsed.success || parsed.data === low_balance) return;
    change({ low_balance: parsed.data });
    offerUndo(t('saved'), { low_balance });
  };
  return (
    <form
      className={styles.mark}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextBox
        type="number"
        frame={{
          id,
          helpId: `${id}-help`,
          label: t('reminders.lowBalance'),
          hint: t('reminders.lowBalanceHint'),
          errorText: problem && codeText(problem.code, problem.data),
        }}
        input={{
          id,
          name: 'low_balance',
          ref: null,
          value: text,
          onBlur: save,
          onChange: ({ target }) => setText(target.value),
          'aria-invalid': problem ? true : undefined,
          'aria-required': undefined,
          'aria-describedby': `${id}-help`,
        }}
        autoComplete="off"
        maxLength={10}
      />
    </form>
  );
}
