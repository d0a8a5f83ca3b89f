import { type Article, rateArticle } from '@linekeeper/contract/articles.ts';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '../../shared/commands/use-command.ts';
import { useReader } from '../../shared/data/session.ts';
import { toast } from '../../shared/state/toast.ts';
import { Button } from '../../shared/ui/buttons/button.tsx';
import { useNeedsConnection } from '../../shared/ui/use-needs-connection.ts';
import { Row } from '../../shared/ui/vocabulary.tsx';
import styles from './article.module.css';

/** "Was this helpful?": asked of the signed-in, of whom each counts once. */
export function Helpful({ article }: { article: Article }) {
  const { t, i18n } = useTranslation('articles');
  const reader = useReader();
  const { helpful_count: yes, feedback_count: count } = article;
  if (!reader && count === 0) return null;
  return (
    <Row gap={16} justify="between" wrap className={styles.helpful} lang={i18n.language}>
      <div>
        <h2>{t('helpful.question')}</h2>
        {count > 0 && <p>{t('helpful.count', { yes, count })}</p>}
      </div>
      {reader && <Answers article={article} />}
    </Row>
  );
}

function Answers({ article: { id, my_feedback } }: { article: Article }) {
  const { t } = useTranslation('articles');
  const blocked = useNeedsConnection();
  const { send, isPending } = useCommand(rateArticle, {
    params: { id },
    refreshes: ['articles'],
    waits: true,
    done: () => toast.success(t('helpful.thanks')),
  });
  const answers = [
    { helpful: true, text: t('helpful.yes'), Icon: ThumbsUp },
    { helpful: false, text: t('helpful.no'), Icon: ThumbsDown },
  ];
  return (
    <span className={styles.answers}>
      {answers.map(({ helpful, text, Icon }) => (
        <Button
          key={text}
          variant={my_feedback === helpful ? 'soft' : 'outlined'}
          aria-pressed={my_feedback === helpful}
          blocked={blocked}
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
