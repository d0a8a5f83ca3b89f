import { useTranslation } from 'react-i18next';
import { type Credentials, credentialNames } from './credentials.ts';

/** Credentials as lines of text, for a message to the customer. */
export function useCredentialsText(): (credentials: Credentials) => string {
  const { t } = useTranslation('lines');
  return (credentials) =>
    credentialNames.map((name) => `${t(`credentials.${name}`)}: ${credentials[name]}`).join('\n');
}
