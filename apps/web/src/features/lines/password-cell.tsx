import type { Line } from '@linekeeper/contract/lines.ts';
import { MASKED_PASSWORD } from '@linekeeper/contract/lines.ts';
import { Eye, EyeOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import styles from './cells.module.css';
import { useReveal } from './use-reveal.ts';

/** Masked until asked for. A shown password may be longer than the column: it lies above the row. */
export function PasswordCell({ line }: { line: Line }) {
  const { t } = useTranslation('lines');
  const { username } = line;
  const { password, isPending, getPassword, toggle } = useReveal(line.id);
  const isShown = password !== undefined;
  return (
    <span className={styles.password} data-shown={isShown || undefined}>
      <span className={styles.secret} aria-live="polite">
        {isShown ? password : <span aria-hidden="true">{MASKED_PASSWORD}</span>}
      </span>
      <IconButton
        size="tiny"
        label={isShown ? t('password.hideOf', { username }) : t('password.revealOf', { username })}
        onClick={toggle}
        aria-busy={isPending || undefined}
      >
        {isShown ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
      </IconButton>
      <CopyButton getValue={getPassword} label={t('password.copyOf', { username })} />
    </span>
  );
}
