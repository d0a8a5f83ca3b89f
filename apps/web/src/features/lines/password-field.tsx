import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '../../shared/forms/password-input.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useIsPhone } from '../../shared/ui/use-is-phone.ts';
import styles from './add-line.module.css';
import type { NewLineForm } from './add-line-types.ts';
import { generatePassword } from './generate-password.ts';

export function PasswordField({ form }: { form: NewLineForm }) {
  const { t } = useTranslation('lines');
  const isPhone = useIsPhone();
  const [generated, setGenerated] = useState(0);
  const generate = () => {
    form.setValue('password', generatePassword(), { shouldDirty: true, shouldValidate: true });
    setGenerated(generated + 1);
  };
  return (
    <div className={styles.password}>
      {/* A new one each time: a generated password starts out readable. */}
      <PasswordInput
        key={generated}
        control={form.control}
        name="password"
        label={t('columns.password')}
        autoComplete="new-password"
        initiallyShown={generated > 0}
        required
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
