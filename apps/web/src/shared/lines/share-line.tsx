import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import type { ButtonLook } from '../ui/buttons/button.tsx';
import { useGetCredentials } from './credentials.tsx';
import { ShareButton } from './share-button.tsx';
import { useReveal } from './use-reveal.ts';

type ShareLineProps = { line: Line } & Pick<ButtonLook, 'variant' | 'size'>;

/** Hands a line's credentials to its customer once more, from its row. */
export function ShareLine({ line, ...look }: ShareLineProps) {
  const { t } = useTranslation('lines');
  const { getPassword } = useReveal(line.id);
  const getCredentials = useGetCredentials();
  return (
    <ShareButton
      {...look}
      label={t('shareOf', { username: line.username })}
      getText={() => getCredentials(line, getPassword)}
    />
  );
}
