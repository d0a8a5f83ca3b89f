import { type Line, MASKED_PASSWORD } from '@linekeeper/contract/lines/lines.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../i18n/use-error-text.ts';
import { toast } from '../state/toast.ts';
import { CopyButton } from '../ui/buttons/copy-button.tsx';
import { IconButton } from '../ui/buttons/icon-button.tsx';
import { TypedText } from '../ui/typed-text.tsx';
import { useNeedsConnection } from '../ui/use-needs-connection.ts';
import styles from './cells.module.css';
import { useRevealLine } from './queries.ts';

const HIDE_AFTER_MS = 30_000;

/** Fetches a line's password on request and hides it again after a while. */
function useReveal(lineId: string) {
  const { mutateAsync, isPending } = useRevealLine();
  const errorText = useErrorText();
  const [password, setPassword] = useState<string>();

  useEffect(() => {
    if (password === undefined) return;
    const timer = setTimeout(() => setPassword(undefined), HIDE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [password]);

  const getPassword = async () => password ?? (await mutateAsync(lineId)).password;
  const toggle = async () => {
    if (isPending) return;
    if (password !== undefined) return setPassword(undefined);
    try {
      setPassword(await getPassword());
    } catch (error) {
      toast.error(errorText(error));
    }
  };
  return { password, isPending, getPassword, toggle };
}

/**
 * A masked password with a reveal button. A shown password wraps if it is longer than the column.
 */
export function PasswordCell({ line }: { line: Line }) {
  const { t } = useTranslation();
  const { username } = line;
  const { password, isPending, getPassword, toggle } = useReveal(line.id);
  const needsConnection = useNeedsConnection();
  const isShown = password !== undefined;
  const blocked = isShown ? undefined : needsConnection;
  return (
    <div className={styles.password} data-shown={isShown || undefined}>
      <span className={styles.passwordButtons}>
        <IconButton
          size="tiny"
          label={t(isShown ? 'line.password.hideOf' : 'line.password.revealOf', { username })}
          blocked={blocked}
          onClick={toggle}
          aria-busy={isPending || undefined}
          icon={isShown ? 'eye-off' : 'eye'}
        />
        <CopyButton
          getValue={getPassword}
          label={t('line.password.copyOf', { username })}
          blocked={blocked}
        />
      </span>
      <span className={styles.secret} aria-live="polite">
        {isShown ? (
          <TypedText>{password}</TypedText>
        ) : (
          <span aria-hidden="true">{MASKED_PASSWORD}</span>
        )}
      </span>
    </div>
  );
}
