import { type ErrorCode, type ErrorData, isErrorCode } from '@linekeeper/contract/errors.ts';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';

export type KnownCode = ErrorCode | 'NETWORK';

export function isKnownCode(code: string): code is KnownCode {
  return code === 'NETWORK' || isErrorCode(code);
}

/** A code of the contract as a sentence in the reader's language. */
export function useCodeText(): (code: KnownCode, data?: ErrorData) => string {
  const { t } = useTranslation('errors');
  return useCallback((code, data) => t(code, { ...data }), [t]);
}

/**
 * Any error as a sentence: by its code in the reader's language, otherwise in the English the
 * panel sent. A code alone (as a form's field errors are) works too.
 */
export function useErrorText(): (error: unknown) => string {
  const codeText = useCodeText();
  return useCallback(
    (error) => {
      if (typeof error === 'string') return isKnownCode(error) ? codeText(error) : error;
      if (error instanceof ApiError) {
        return isKnownCode(error.code) ? codeText(error.code, error.data) : error.message;
      }
      return codeText('INTERNAL_ERROR');
    },
    [codeText],
  );
}
