import { type Article, type ArticleReply, rateArticle } from '@linekeeper/contract/articles.ts';
import { languages } from '@linekeeper/contract/languages.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Clock, Languages, Pencil, ThumbsDown, ThumbsUp } from 'lucide-react';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { Markdown } from '#kit/markdown/markdown.tsx';
import { PageHeader } from '#kit/page/page-header.tsx';
import { useDocumentTitle } from '#kit/page/use-screen.ts';
import { BackLink } from '#kit/ui/back-link.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Flag } from '#kit/ui/flag.tsx';
import { FailedCard } from '#kit/ui/states/failed-panel.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { ApiError } from '#platform/api/client.ts';
import { useReader } from '#platform/data/session.ts';
import { formatDate } from '#platform/format/format-moment.ts';
import { isolate } from '#platform/i18n/isolate.ts';
import { languageNames } from '#platform/i18n/languages.ts';
import hintStyles from './articles.module.css';
import { AskLink } from './ask-for-help.tsx';
import { ArticleName } from './category-cards.tsx';
import { headingsOf, minutesToRead } from './headings.ts';
import { articleQuery } from './queries.ts';
import { Contents, ContentsMenu, type ContentsProps } from './table-of-contents.tsx';

export function ArticlePage() {
  const { id } = useParams({ from: '/shell/support/knowledge-base/$id' });
  const { data, error, isPending, refetch } = useQuery(articleQuery(id));
  if (data) return <ArticleView key={id} reply={data} />;
  const isGone = error instanceof ApiError && [404, 422].includes(error.status);
  return (
    <>
      <PageHeader />
      {!isPending && (
        <FailedCard error={error} {...(isGone ? {} : { onRetry: () => void refetch() })} />
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
        {t('nav.knowledgeBase')}
      </BackLink>
      <div className="grid grid-cols-[minmax(0,1fr)_264px] gap-6 items-start small-tablet:grid-cols-1 small-tablet:gap-4">
        <Card
          as="article"
          className="py-8 px-10 [&>h1]:type-[700_28px/40px_var(--font)] [&>h1]:wrap-anywhere phone:p-4 phone:[&>h1]:type-page"
          lang={article.locale}
        >
          <h1>
            <TypedText>{article.title}</TypedText>
          </h1>
          <AboutArticle reply={reply} />
          <ContentsMenu headings={headings} content={content} />
          <div ref={content} className={`max-w-160 mt-6 ${hintStyles.hints}`}>
            <Markdown text={article.body} />
          </div>
          <Helpful article={article} />
        </Card>
        <ArticleSide reply={reply} headings={headings} content={content} />
      </div>
    </>
  );
}

function AboutArticle({ reply: { article } }: { reply: ArticleReply }) {
  const { t, i18n } = useTranslation('articles');
  const isAdmin = useReader()?.is_admin ?? false;
  return (
    <div
      className="flex items-center flex-wrap gap-y-2 gap-x-4 mt-2 text-text-2"
      lang={i18n.language}
    >
      <Badge tone="neutral">{t(`categories.${article.category}`)}</Badge>
      {!article.is_published && <Badge tone="warning">{t('draft')}</Badge>}
      <span className="inline-flex items-center gap-1">
        <Clock size={16} aria-hidden="true" />
        {t('minutes', { count: minutesToRead(article.body) })}
      </span>
      <span className="inline-flex items-center gap-1">
        {t('changed', { day: formatDate(article.updated_at, i18n.language) })}
      </span>
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
    </div>
  );
}

interface ArticleSideProps extends ContentsProps {
  reply: ArticleReply;
}

/** The column beside an article; on a phone it is below. */
function ArticleSide({ reply, headings, content }: ArticleSideProps) {
  const { t } = useTranslation('articles');
  const { q } = useSearch({ from: '/shell/support/knowledge-base/$id' });
  return (
    <div className="grid grid-cols-1 gap-6 sticky top-22 small-tablet:static small-tablet:gap-4">
      {headings.length > 1 && (
        <Card className="small-tablet:hidden">
          <Contents headings={headings} content={content} />
        </Card>
      )}
      <LanguageCard reply={reply} />
      {reply.related.length > 0 && (
        <Card>
          <h2 className="mb-2 type-strong">{t('related')}</h2>
          <ul className="[&_li]:py-1 [&_li]:px-0">
            {reply.related.map((article) => (
              <li key={article.id}>
                <ArticleName article={article} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card>
        <h2 className="mb-4 type-strong">{t('stuck.title')}</h2>
        <AskLink about={q ?? reply.article.title} variant="solid" fullWidth />
      </Card>
    </div>
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
      <h2 className="mb-2 type-strong" id={`${id}-label`}>
        {t('language')}
      </h2>
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
          <p className="mt-1 text-text-2 type-caption [&+a]:mt-4">
            {t('alsoIn', { languages: others })}
          </p>
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

/** "Was this helpful?": the question for signed-in readers, each of whom counts once. */
function Helpful({ article }: { article: Article }) {
  const { t, i18n } = useTranslation('articles');
  const reader = useReader();
  const { helpful_count: yes, feedback_count: count } = article;
  if (!reader && count === 0) return null;
  return (
    <div
      className="flex items-center flex-wrap justify-between gap-4 mt-8 pt-6 border-t border-t-divider"
      lang={i18n.language}
    >
      <div>
        <h2 className="type-strong">{t('helpful.question')}</h2>
        {count > 0 && (
          <p className="text-text-2 type-caption">{t('helpful.count', { yes, count })}</p>
        )}
      </div>
      {reader && <Answers article={article} />}
    </div>
  );
}

function Answers({ article: { id, my_feedback } }: { article: Article }) {
  const { t } = useTranslation('articles');
  const { send, isPending } = useCommand(rateArticle, {
    params: { id },
    refreshes: ['articles'],
    waits: true,
    doneText: () => t('helpful.thanks'),
  });
  const answers = [
    { helpful: true, text: t('answer.yes'), Icon: ThumbsUp },
    { helpful: false, text: t('answer.no'), Icon: ThumbsDown },
  ];
  return (
    <span className="flex items-stretch gap-4 phone:w-full phone:*:flex-1">
      {answers.map(({ helpful, text, Icon }) => (
        <Button
          key={text}
          variant={my_feedback === helpful ? 'soft' : 'outlined'}
          aria-pressed={my_feedback === helpful}
          disabled={isPending}
          icon={<Icon aria-hidden="true" />}
          onClick={() => void send({ helpful })}
        >
          {text}
        </Button>
      ))}
    </span>
  );
}
