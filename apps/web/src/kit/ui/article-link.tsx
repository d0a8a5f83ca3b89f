import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

/** Leads to the article with this title. A search finds what an administrator has renamed since, too. */
export function ArticleLink({ title }: { title: string }) {
  const { t } = useTranslation();
  return (
    <Link className="link" to="/support/knowledge-base" search={{ q: title }}>
      {t('articleNamed', { title })}
    </Link>
  );
}
