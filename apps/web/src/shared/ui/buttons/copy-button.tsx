import { useTranslation } from 'react-i18next';
import { IconButton } from './icon-button.tsx';
import { useCopy } from './use-copy-text.tsx';

interface CopyButtonProps {
  value?: string;
  /** Fetches the text first, for example a masked password. */
  getValue?: () => Promise<string>;
  /** Accessible name, for example "Copy username". */
  label: string;
  size?: 'medium' | 'small' | 'tiny';
  /** The reason why the text cannot be fetched now. */
  blocked?: string | undefined;
}

export function CopyButton({ value, getValue, label, size = 'tiny', blocked }: CopyButtonProps) {
  const { t } = useTranslation();
  const { isCopied, copy, isReached, reached } = useCopy(
    async () => value ?? (await getValue?.()) ?? '',
  );
  return (
    <>
      <IconButton
        label={isCopied ? t('copy.done') : label}
        size={size}
        blocked={blocked}
        icon={isCopied ? 'check' : 'copy'}
        {...reached}
        onClick={copy}
      />
      {isReached && (
        <span className="visually-hidden" role="status">
          {isCopied ? t('copy.done') : ''}
        </span>
      )}
    </>
  );
}
