import type { Language } from '@linekeeper/contract/languages.ts';
import type { Outages } from '@linekeeper/contract/servers/outages.ts';
import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { outagesQuery } from '#domain/servers/outage-queries.ts';
import { troubleOfOutage } from '#domain/servers/trouble.ts';
import { formatSince } from '#platform/format/format-moment.ts';
import { fetchInAllLanguages } from '#platform/i18n/i18n.ts';
import {
  inEachLanguage,
  type MessageTexts,
  type MessageValues,
  messageAbout,
  newMessage,
} from './message-form.ts';

/**
 * The values with which the form for a new message opens: empty, or, for a server, its resellers as recipients and a
 * text in each language if the server does not respond. Undefined while the texts are fetched.
 */
export function useFirstValues(serverId: string | undefined): MessageValues | undefined {
  const texts = useOutageTexts(serverId);
  if (!serverId) return newMessage;
  return texts === undefined ? undefined : messageAbout(serverId, texts ?? undefined);
}

/**
 * Texts about an outage of a server, in each language. Null if the server responds or the texts cannot be loaded;
 * undefined while they are fetched.
 */
function useOutageTexts(serverId: string | undefined): MessageTexts | null | undefined {
  const { i18n } = useTranslation();
  const { data: outages, isError } = useQuery({
    ...outagesQuery(),
    enabled: serverId !== undefined,
  });
  const [isFetched, setFetched] = useState<boolean>();
  useEffect(() => {
    if (serverId === undefined) return;
    // The sentence about new sales is among the texts of the frame.
    Promise.all([fetchInAllLanguages('messages'), fetchInAllLanguages('frame')]).then(
      () => setFetched(true),
      () => setFetched(false),
    );
  }, [serverId]);
  if (isError || isFetched === false) return null;
  if (!outages || isFetched === undefined) return undefined;
  const away = outages.items.find(
    (one) => one.server_id === serverId && troubleOfOutage(one).cause === 'noAnswer',
  );
  if (!away) return null;
  return inEachLanguage((language) =>
    outageText(i18n.getFixedT(language, 'messages'), language, away, outages),
  );
}

function outageText(
  t: TFunction<'messages'>,
  language: Language,
  away: Outages['items'][number],
  outages: Outages,
) {
  const name = away.server_name;
  const time = formatSince(Date.parse(away.since), language);
  const server = outages.new_sales_server;
  return {
    title: t('recurring.notResponding', { name }),
    content: [
      t('outage.since', { name, time }),
      ...(server === null ? [] : [t('outage.sales', { name: server })]),
      t('outage.waits', { name }),
    ].join('\n\n'),
  };
}
