import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { useTranslation } from 'react-i18next';
import { useGetCredentials } from '#domain/lines/credentials.tsx';
import { useLinePassword } from '#domain/lines/hand-over/use-line-password.ts';
import { ShareButton } from '#domain/lines/share-button.tsx';
import type { ButtonLook } from '#kit/ui/buttons/button.tsx';

type ShareLineProps = { line: Line } & Pick<ButtonLook, 'variant' | 'size'>;

/** The button of a row that shares a line's credentials with its customer. */
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
