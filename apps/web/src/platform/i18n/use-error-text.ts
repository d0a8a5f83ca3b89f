import { dailyUnits, type ErrorCode, type ErrorData } from '@linekeeper/contract/errors.ts';
import i18next from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#platform/api/client.ts';
import { isolate } from './isolate.ts';

export type KnownCode = ErrorCode | 'NETWORK';

/** True if the code has a translation. Tests make sure that every code of the contract has one. */
export function isKnownCode(code: string): code is KnownCode {
  return i18next.exists(code, { ns: 'errors', count: 1 });
}

/** Fields in which a row of a file differs from a line. */
const namedFields = ['password', 'expiry', 'owner', 'status'] as const;
const isNamedField = (name: string): name is (typeof namedFields)[number] =>
  namedFields.some((field) => field === name);

/** Translates an error code of the contract. */
export function useCodeText(): (code: KnownCode, data?: ErrorData) => string {
  const { t } = useTranslation('errors');
  return useCallback(
    (code, data) => {
      // A space would be invisible in the sentence, so its name is shown.
      const words = data?.character === 'space' ? { character: t('form.space') } : {};
      const { differing } = data ?? {};
      const fields = typeof differing === 'string' ? differing.split(', ') : [];
      const named = fields.map((field) => (isNamedField(field) ? t(`field.${field}`) : field));
      const differences = fields.length > 0 ? { differing: named.join(', ') } : {};
      const unit = dailyUnits.find((one) => one === data?.unit);
      const cause = data?.reason_code;
      const isKnown = typeof cause === 'string' && isKnownCode(cause);
      return t(code, {
        ...data,
        ...words,
        ...differences,
        ...(unit ? { unit: t(`unit.${unit}`) } : {}),
        ...(isKnown ? { reason: t(cause) } : {}),
      });
    },
    [t],
  );
}

/**
 * Translates any error by its code; unknown codes show the English message from the panel. Also
 * accepts a bare code, as in a form's field errors.
 */
export function useErrorText(): (error: unknown) => string {
  const codeText = useCodeText();
  return useCallback(
    (error) => {
      if (typeof error === 'string') return isKnownCode(error) ? codeText(error) : isolate(error);
      if (error instanceof ApiError) {
        return isKnownCode(error.code) ? codeText(error.code, error.data) : isolate(error.message);
      }
      return codeText('INTERNAL_ERROR');
    },
    [codeText],
  );
}

/** Explains why code or texts failed to load: no connection, or files removed by an update. */
export function useFetchFailedText(): (problem: unknown) => string {
  const { t } = useTranslation();
  return (problem) => t(problem instanceof ApiError ? 'offline.needed' : 'offline.reload');
}
