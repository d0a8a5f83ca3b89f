import { Eye } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../shared/format/format-moment.ts';
import { formatNumber } from '../../shared/i18n/format-number.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { makePosts } from './generate-samples.ts';
import { PostPicture } from './pictures.tsx';
import styles from './samples.module.css';
import { useSampleTexts } from './use-sample-texts.ts';

const posts = makePosts(9);

/** Post cards; they lead nowhere, because there is nothing to read. */
export function SampleBlog() {
  const texts = useSampleTexts().blog;
  const { i18n } = useTranslation();
  return (
    <ul className={styles.posts} aria-label={texts.list}>
      {posts.map(({ id, author, day, views }, index) => (
        <Card key={id} as="li" flush className={styles.post}>
          <PostPicture seed={index + 1} />
          <div className={styles.words}>
            <time dateTime={day}>{formatDate(`${day}T12:00:00Z`, i18n.language)}</time>
            <h2>{texts.titles[index]}</h2>
            <p>{texts.lead}</p>
            <p className={styles.author}>
              <Avatar accountId={author} name={author} size={24} />
              <span>
                {texts.by} {author}
              </span>
              <span className={styles.views}>
                <Eye size={16} aria-hidden="true" />
                <span className="visually-hidden">{texts.views}: </span>
                {formatNumber(views, i18n.language)}
              </span>
            </p>
          </div>
        </Card>
      ))}
    </ul>
  );
}
