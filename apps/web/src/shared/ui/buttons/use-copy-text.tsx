import { useTranslation } from 'react-i18next';
import { copyText } from '../../browser/copy-text.ts';
import { useErrorText } from '../../i18n/use-error-text.ts';
import { toast } from '../../state/toast.ts';
import { SelectedText } from './selected-text.tsx';

/** Copies a text, which may be fetched first. Where the browser refuses, the text is shown, selected. */
export function useCopyText() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return async (getText: () => string | Promise<string>): Promise<boolean> => {
    let got = '';
    try {
      const isCopied = await copyText(() => {
        const text = getText();
        if (typeof text === 'string') got = text;
        return typeof text === 'string' ? text : text.then((fetched) => (got = fetched));
      });
      if (isCopied) return true;
      const shown = <SelectedText label={t('copy.byHand')}>{got}</SelectedText>;
      toast.info(shown, { detail: t('copy.byHand'), stays: true, replaces: 'copy-by-hand' });
    } catch (error) {
      toast.error(errorText(error));
    }
    return false;
  };
}
