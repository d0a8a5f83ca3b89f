import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** A link to the article with this title. It opens a search, which also finds the article after it was renamed. */
export function ArticleLink({ title }: { title: string }) {
  const { t } = useTranslation();
  return (
    <Link className="link" to="/support/knowledge-base" search={{ q: title }}>
      {t('articleNamed', { title })}
    </Link>
  );
}
