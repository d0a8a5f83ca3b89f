import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import type { FieldPath, FieldValues, PathValue, UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { PasswordInput } from '#kit/forms/fields/password-input.tsx';
import type { FieldProps } from '#kit/forms/fields/use-field.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { useIsPhone } from '#platform/browser/use-is-phone.ts';
import { generatePassword } from './generate-password.ts';

interface PasswordFieldProps<Values extends FieldValues, Output>
  extends Omit<FieldProps<Values, Output>, 'control'> {
  form: UseFormReturn<Values, unknown, Output>;
  /** True if the form starts with a generated password. */
  isGenerated?: boolean;
}

export function PasswordField<Values extends FieldValues, Output>({
  form,
  isGenerated = false,
  ...field
}: PasswordFieldProps<Values, Output>) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const [generated, setGenerated] = useState(0);
  const generate = () => {
    const password = generatePassword() as PathValue<Values, FieldPath<Values>>;
    form.setValue(field.name, password, { shouldDirty: true, shouldValidate: true });
    setGenerated(generated + 1);
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 [&>button]:h-11 [&>button]:mt-[30px] phone:[&>button]:w-12 phone:[&>button]:h-12 phone:[&>button]:p-0 phone:[&>button_svg]:m-0">
      {/* A new key remounts the input so that a generated password is shown at first. */}
      <PasswordInput
        key={generated}
        {...field}
        control={form.control}
        autoComplete="new-password"
        initiallyShown={isGenerated || generated > 0}
      />
      <Button
        icon={<RefreshCw aria-hidden="true" />}
        aria-label={t('picker.generatePassword')}
        onClick={generate}
      >
        {isPhone ? null : t('picker.generatePassword')}
      </Button>
    </div>
  );
}
