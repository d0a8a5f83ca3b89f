import { listArticles } from '@linekeeper/contract/articles.ts';
import type { Language } from '@linekeeper/contract/languages.ts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { useDebounced } from '../../shared/browser/use-debounced.ts';
import { Card } from '../../shared/ui/card.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import styles from './tickets.module.css';

const TYPING_PAUSE_MS = 400;
const LEAST_LETTERS = 4;
const MOST_LETTERS = 100;
const SHOWN = 3;

function suggestionsQuery(q: string, locale: Language) {
  return queryOptions({
    queryKey: ['articles', 'suggested', q, locale],
    queryFn: async ({ signal }) => {
      const query = { q, locale, is_published: 'true', any_word: 'true' } as const;
      return (await call(listArticles, { query }, { signal })).items.slice(0, SHOWN);
    },
    enabled: q.length >= LEAST_LETTERS,
    placeholderData: keepPreviousData,
    // Where nothing can be suggested, nothing is missing.
    retry: false,
  });
}

/** Articles about what a ticket is going to ask. They open beside it, so nothing typed is left. */
export function HelpfulArticles({ title }: { title: string }) {
  const { t, i18n } = useTranslation('tickets');
  const { t: articles } = useTranslation('articles');
  const q = useDebounced(title.trim().slice(0, MOST_LETTERS).trim(), TYPING_PAUSE_MS);
  const { data = [] } = useQuery(suggestionsQuery(q, i18n.language as Language));
  const found = q.length >= LEAST_LETTERS ? data : [];
  return (
    <div role="status" className={styles.help}>
      {found.length > 0 && (
        <Card>
          <h2>{t('help.title')}</h2>
          <ul>
            {found.map(({ id, title: name, locale, category }) => (
              <li key={id}>
                <Link to="/support/knowledge-base/$id" params={{ id }} target="_blank">
                  <span>
                    <b lang={locale}>
                      <TypedText>{name}</TypedText>
                    </b>
                    <small>{articles(`categories.${category}`)}</small>
                  </span>
                  <ExternalLink size={16} aria-hidden="true" />
                  <span className="visually-hidden">{t('help.newTab')}</span>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}
