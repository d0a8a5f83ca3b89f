import { type Day, formatDay } from '@linekeeper/contract/dates.ts';
import { countLines } from '@linekeeper/contract/lines/lines.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isReached } from '#domain/accounts/limits.ts';
import { useOwnLimits } from '#domain/accounts/use-own-limits.ts';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { callQuery } from '#platform/api/call-query.ts';
import { useCodeText } from '#platform/i18n/use-error-text.ts';

/** The notice above the form that no line can be added, with the lines that could make room. */
export function FullNotice() {
  const { t } = useTranslation('lines');
  const { data: limits } = useOwnLimits();
  if (!limits || !isReached(limits.lines)) return null;
  const { used, bound } = limits.lines;
  const makesRoom = limits.may_delete.bound && used > 0;
  return (
    <Banner tone="warning" title={t('limit.full', { used, count: bound ?? 0 })}>
      {makesRoom && (
        <>
          <p>{t('limit.makeRoom')}</p>
          <ExpiredLines />
        </>
      )}
    </Banner>
  );
}

function ExpiredLines() {
  const { t } = useTranslation('lines');
  // The limit counts the lines of accounts below, too.
  const { data } = useQuery(callQuery('lines', countLines, { query: { with_below: 'true' } }));
  if (!data?.expired) return null;
  return (
    <Link to="/users/all" search={{ status: 'expired', below: true }} className="link">
      {t('limit.showExpired', { count: data.expired })}
    </Link>
  );
}

/** The button that opens a ticket with its title filled in, for accounts that reached their limit of lines. */
export function AskForLines() {
  const { t } = useTranslation('lines');
  return (
    <ButtonLink
      to="/tickets/new"
      search={{ title: t('limit.ticket') }}
      variant="solid"
      size="large"
    >
      {t('limit.ask')}
    </ButtonLink>
  );
}

export function EndedNotice({ day }: { day: Day }) {
  const codeText = useCodeText();
  return <Banner tone="warning" title={codeText('ACCOUNT_ENDED', { day: formatDay(day) })} />;
}
