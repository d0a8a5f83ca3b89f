import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { type Credentials, credentialNames } from './credentials.ts';
import styles from './credentials-card.module.css';

const copied: readonly (keyof Credentials)[] = ['username', 'password', 'server', 'port'];

/** What a customer types in, each part to be copied by itself. */
export function CredentialRows({ credentials }: { credentials: Credentials }) {
  const { t } = useTranslation('lines');
  return (
    <dl className={styles.rows}>
      {credentialNames.map((name) => {
        const label = t(`credentials.${name}`);
        return (
          <div key={name}>
            <dt>{label}</dt>
            <dd>{credentials[name]}</dd>
            {copied.includes(name) && (
              <dd>
                <CopyButton
                  size="small"
                  value={credentials[name]}
                  label={t('done.copyField', { field: label })}
                />
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}
