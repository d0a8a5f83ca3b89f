import { type Finding, isUnreachableReason } from '@linekeeper/contract/findings.ts';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { isolate } from './isolate.ts';

/** Used for a failed push without further details. */
const REFUSED: Finding = { code: 'PUSH_REFUSED', data: { operation: 'add' } };

/**
 * Translates the finding of a push, test or call to a card server by its code, including the card
 * server's own message if there is one.
 */
export function useFindingText(): (finding: Finding | null | undefined) => string {
  const { t } = useTranslation();
  return useCallback(
    (finding) => {
      const { code, data } = finding ?? REFUSED;
      const { operation = 'edit', words, reason = '', fields = [], ...numbers } = data;
      if (words !== undefined) return isolate(words);
      const given = {
        ...numbers,
        reason: isUnreachableReason(reason) ? t(`reason.${reason}`) : reason,
        fields: fields.join(', '),
      };
      if (code === 'PUSH_NOT_REACHED' || code === 'PUSH_REFUSED') {
        return t(`finding.${code}.${operation}`, given);
      }
      return t(`finding.${code}`, given);
    },
    [t],
  );
}
