import type { ArticleReply } from '@linekeeper/contract/articles.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Languages } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useReader } from '../../shared/data/session.ts';
import { SelectBox } from '../../shared/forms/fields/select-input.tsx';
import { languageNames } from '../../shared/i18n/languages.ts';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Flag } from '../../shared/ui/flag.tsx';
import { Caption, Stack } from '../../shared/ui/vocabulary.tsx';
import styles from './article.module.css';
import { AskLink } from './ask-for-help.tsx';
import { ArticleName } from './category-cards.tsx';
import { Contents, type ContentsProps } from './table-of-contents.tsx';

interface ArticleSideProps extends ContentsProps {
  reply: ArticleReply;
}

/** The column beside an article; on a phone it is below. */
export function ArticleSide({ reply, headings, content }: ArticleSideProps) {
  const { t } = useTranslation('articles');
  const { q } = useSearch({ from: '/shell/support/knowledge-base/$id' });
  return (
    <Stack gap={24} className={styles.side}>
      {headings.length > 1 && (
        <Card className={styles.wide}>
          <Contents headings={headings} content={content} />
        </Card>
      )}
      <LanguageCard reply={reply} />
      {reply.related.length > 0 && (
        <Card>
          <h2>{t('related')}</h2>
          <ul className={styles.related}>
            {reply.related.map((article) => (
              <li key={article.id}>
                <ArticleName article={article} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card>
        <h2>{t('stuck.title')}</h2>
        <p className={styles.quiet}>{t('stuck.short')}</p>
        <AskLink about={q ?? reply.article.title} variant="solid" fullWidth />
      </Card>
    </Stack>
  );
}

function LanguageCard({ reply: { article, translations } }: { reply: ArticleReply }) {
  const { t, i18n } = useTranslation('articles');
  const navigate = useNavigate();
  const id = useId();
  const isAdmin = useReader()?.is_admin ?? false;
  const missing = languages.find(
    (language) =>
      language !== article.locale && !translations.some(({ locale }) => locale === language),
  );
  if (translations.length === 0 && !(isAdmin && missing)) return null;
  const offered = [article, ...translations];
  const others = new Intl.ListFormat(i18n.language).format(
    translations.map(({ locale }) => languageNames[locale]),
  );
  return (
    <Card>
      <h2 id={`${id}-label`}>{t('language')}</h2>
      {translations.length > 0 && (
        <>
          <SelectBox
            id={id}
            value={article.id}
            options={offered.map((one) => ({
              value: one.id,
              label: languageNames[one.locale],
              icon: <Flag language={one.locale} />,
            }))}
            onChange={(chosen) =>
              chosen && void navigate({ to: '/support/knowledge-base/$id', params: { id: chosen } })
            }
          />
          <Caption as="p" className={styles.caption}>
            {t('alsoIn', { languages: others })}
          </Caption>
        </>
      )}
      {isAdmin && missing && (
        <ButtonLink
          to="/support/knowledge-base/add"
          search={{ of: article.id, language: missing }}
          fullWidth
          icon={<Languages aria-hidden="true" />}
        >
          {t('action.translate')}
        </ButtonLink>
      )}
    </Card>
  );
}
