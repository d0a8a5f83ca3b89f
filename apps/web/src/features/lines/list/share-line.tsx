import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useGetCredentials } from '#domain/lines/credentials.tsx';
import { useLinePassword } from '#domain/lines/hand-over/use-line-password.ts';
import { ShareButton } from '#domain/lines/share-button.tsx';
import type { ButtonLook } from '#kit/ui/buttons/button.tsx';

type ShareLineProps = { line: Line } & Pick<ButtonLook, 'variant' | 'size'>;

/** Hands a line's credentials to its customer once more, from its row. */
export function ShareLine({ line, ...look }: ShareLineProps) {
  const { t } = useTranslation('lines');
  const { getPassword } = useLinePassword(line);
  const getCredentials = useGetCredentials();
  return (
    <ShareButton
      {...look}
      label={t('shareOf', { username: line.username })}
      getText={() => getCredentials(line, getPassword)}
    />
  );
}
