import { formatDay } from '@linekeeper/contract/dates.ts';
import { type Finding, isUnreachableReason } from '@linekeeper/contract/findings.ts';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { isolate } from './isolate.ts';

/** The finding for a failed push without further details. */
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
      const {
        operation = 'edit',
        cause = 'NOT_READ_YET',
        words,
        said,
        reason = '',
        fields = [],
      } = data;
      if (words !== undefined && !said) return isolate(words);
      const given = {
        ...data,
        day: formatDay(data.day ?? ''),
        panel_day: formatDay(data.panel_day ?? ''),
        held_day: formatDay(data.held_day ?? ''),
        reason: isUnreachableReason(reason) ? t(`reason.${reason}`) : reason,
        fields: fields.join(', '),
      };
      if (said) {
        const field = t(fields[0] === 'username' ? 'field.username' : 'field.password');
        return t(`said.${said}`, { ...given, field });
      }
      if (code === 'NOT_TAKEN') return t(`finding.${code}.${cause}`, given);
      if (code === 'PUSH_NOT_REACHED' || code === 'PUSH_REFUSED' || code === 'PUSH_PENDING') {
        return t(`finding.${code}.${operation}`, given);
      }
      return t(`finding.${code}`, given);
    },
    [t],
  );
}
