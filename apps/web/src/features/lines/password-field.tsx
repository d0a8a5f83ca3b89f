import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '../../shared/forms/password-input.tsx';
import type { FieldProps } from '../../shared/forms/use-field.ts';
import { Button } from '../../shared/ui/button.tsx';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import styles from './add-line.module.css';
import { generatePassword } from './generate-password.ts';

interface PasswordFieldProps<Values extends FieldValues, Output>
  extends FieldProps<Values, Output> {
  onGenerate: (password: string) => void;
}

export function PasswordField<Values extends FieldValues, Output>({
  onGenerate,
  ...field
}: PasswordFieldProps<Values, Output>) {
  const { t } = useTranslation('lines');
  const isPhone = useIsPhone();
  const [generated, setGenerated] = useState(0);
  const generate = () => {
    onGenerate(generatePassword());
    setGenerated(generated + 1);
  };
  return (
    <div className={styles.password}>
      {/* A new one each time: a generated password starts out readable. */}
      <PasswordInput
        key={generated}
        {...field}
        autoComplete="new-password"
        initiallyShown={generated > 0}
      />
      <Button
        icon={<RefreshCw aria-hidden="true" />}
        aria-label={t('add.generate')}
        onClick={generate}
      >
        {isPhone ? null : t('add.generate')}
      </Button>
    </div>
  );
}
