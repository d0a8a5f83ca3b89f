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
}

export function CopyButton({ value, getValue, label, size = 'tiny' }: CopyButtonProps) {
  const { t } = useTranslation();
  const { isCopied, copy, isReached, reached } = useCopy(
    async () => value ?? (await getValue?.()) ?? '',
  );
  return (
    <>
      <IconButton
        label={isCopied ? t('copy.done') : label}
        size={size}
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
