import type { ArticleReply } from '@linekeeper/contract/articles.ts';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Clock, Pencil } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../shared/api/client.ts';
import { useReader } from '../../shared/data/session.ts';
import { formatDate } from '../../shared/format/format-moment.ts';
import { isolate } from '../../shared/i18n/isolate.ts';
import { PageHeader } from '../../shared/layout/page-header.tsx';
import { useDocumentTitle } from '../../shared/layout/use-screen.ts';
import { InTurn, useDrawnInSlices } from '../../shared/start/later.tsx';
import { BackLink } from '../../shared/ui/back-link.tsx';
import { Badge } from '../../shared/ui/badge.tsx';
import { ButtonLink } from '../../shared/ui/buttons/button-link.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Markdown } from '../../shared/ui/markdown/markdown.tsx';
import { FailedPanel } from '../../shared/ui/states/failed-panel.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './article.module.css';
import { ArticleSide } from './article-side.tsx';
import { headingsOf, minutesToRead } from './headings.ts';
import { Helpful } from './helpful.tsx';
import hintStyles from './hints.module.css';
import { articleQuery } from './queries.ts';
import { ContentsMenu } from './table-of-contents.tsx';

export function ArticlePage() {
  const { id } = useParams({ from: '/shell/support/knowledge-base/$id' });
  const { data, error, isPending, refetch } = useQuery(articleQuery(id));
  const drawn = useDrawnInSlices(data);
  if (drawn) return <ArticleView key={id} reply={drawn} />;
  const isGone = error instanceof ApiError && [404, 422].includes(error.status);
  return (
    <>
      <PageHeader />
      {!isPending && (
        <Card>
          <FailedPanel error={error} {...(isGone ? {} : { onRetry: () => void refetch() })} />
        </Card>
      )}
    </>
  );
}

function ArticleView({ reply }: { reply: ArticleReply }) {
  const { t } = useTranslation('articles');
  const { q } = useSearch({ from: '/shell/support/knowledge-base/$id' });
  const { article } = reply;
  const headings = headingsOf(article.body);
  const content = useRef<HTMLDivElement>(null);
  useDocumentTitle(isolate(article.title));
  return (
    <>
      <BackLink to="/support/knowledge-base" search={{ q }}>
        {t('title')}
      </BackLink>
      <div className={styles.article}>
        <InTurn isFirstAtOnce>
          <Card as="article" className={styles.text} lang={article.locale}>
            <h1>
              <TypedText>{article.title}</TypedText>
            </h1>
            <AboutArticle reply={reply} />
            <ContentsMenu headings={headings} content={content} />
            <div ref={content} className={`${styles.body} ${hintStyles.hints}`}>
              <Markdown text={article.body} />
            </div>
            <Helpful article={article} />
          </Card>
          <ArticleSide reply={reply} headings={headings} content={content} />
        </InTurn>
      </div>
    </>
  );
}

function AboutArticle({ reply: { article } }: { reply: ArticleReply }) {
  const { t, i18n } = useTranslation('articles');
  const isAdmin = useReader()?.is_admin ?? false;
  return (
    <Row wrap muted className={styles.about} lang={i18n.language}>
      <Badge tone="neutral">{t(`categories.${article.category}`)}</Badge>
      {!article.is_published && <Badge tone="warning">{t('draft')}</Badge>}
      <span>
        <Clock size={16} aria-hidden="true" />
        {t('minutes', { count: minutesToRead(article.body) })}
      </span>
      <span>{t('changed', { day: formatDate(article.updated_at, i18n.language) })}</span>
      {isAdmin && (
        <ButtonLink
          to="/support/knowledge-base/edit/$id"
          params={{ id: article.id }}
          size="small"
          icon={<Pencil aria-hidden="true" />}
        >
          {t('action.edit')}
        </ButtonLink>
      )}
    </Row>
  );
}
