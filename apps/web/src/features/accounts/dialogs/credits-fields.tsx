import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { TextInput } from '../../../shared/forms/fields/text-input.tsx';
import { Button } from '../../../shared/ui/buttons/button.tsx';
import { Muted, Stack } from '../../../shared/ui/vocabulary.tsx';
import styles from '../accounts.module.css';

const OFFERED = [10, 25, 50, 100];

interface Entered {
  amount: number;
  note?: string | undefined;
}
type CreditsForm = UseFormReturn<Entered, unknown, Entered>;

interface CreditsFieldsProps {
  form: CreditsForm;
  /** The most credits that can be moved; undefined where credits are minted. */
  most?: number | undefined;
  /** Offers all that there is, too. */
  hasMost?: boolean;
  hint?: string | undefined;
}

/** Amount and note of credits that are given or taken back. */
export function CreditsFields({ form, most, hasMost = false, hint }: CreditsFieldsProps) {
  const { t } = useTranslation(['account', 'accounts']);
  const amount = form.watch('amount');
  const fitting = OFFERED.filter((one) => most === undefined || one <= most);
  const all = hasMost && most && !fitting.includes(most) ? [most] : [];
  const offered = [...fitting, ...all];
  return (
    <>
      <Stack gap={8}>
        <TextInput
          control={form.control}
          name="amount"
          label={t('amount')}
          hint={hint}
          type="number"
          endAdornment={<Muted>{t('credits.unit', { count: Number(amount) || 0 })}</Muted>}
          autoFocus
          required
        />
        <div className={styles.offered}>
          {offered.map((one) => (
            <Button
              key={one}
              size="small"
              variant={amount === one ? 'soft' : 'outlined'}
              aria-pressed={amount === one}
              aria-label={t('credits.amount', { count: one })}
              onClick={() =>
                form.setValue('amount', one, { shouldDirty: true, shouldValidate: true })
              }
            >
              {t('number', { value: one })}
            </Button>
          ))}
        </div>
      </Stack>
      <TextInput
        control={form.control}
        name="note"
        label={t('note')}
        hint={t('accounts:addCredits.noteHint')}
      />
    </>
  );
}
