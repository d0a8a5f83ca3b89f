import { useTranslation } from 'react-i18next';
import ReactMarkdown, { type Components } from 'react-markdown';
import styles from './markdown.module.css';

/** Pictures of the panel itself, by addresses without a host. */
function isOwn(address: string | undefined): address is string {
  return /^\/api\/[\w/-]+$/.test(address ?? '');
}

/** A picture elsewhere would tell its host who reads what and when: it is a link. */
function Picture({ src, alt = '' }: { src?: string | undefined; alt?: string | undefined }) {
  const { t } = useTranslation();
  if (isOwn(src)) return <img src={src} alt={alt} loading="lazy" />;
  const text = t('markdown.image', { text: alt || src });
  return src ? <Outside href={src}>{text}</Outside> : text;
}

function Outside({ href, children }: { href?: string | undefined; children?: React.ReactNode }) {
  if (!href) return <>{children}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** The page has its own headings above: those in a text are no part of its outline. */
const heading = ({ children }: { children?: React.ReactNode }) => (
  <p className={styles.heading}>{children}</p>
);

const components: Components = {
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  a: ({ href, children }) => <Outside href={href}>{children}</Outside>,
  img: ({ src, alt }) => <Picture src={typeof src === 'string' ? src : undefined} alt={alt} />,
};

export function MarkdownView({ children }: { children: string }) {
  return (
    <div className={styles.markdown} dir="auto">
      <ReactMarkdown components={components}>{children}</ReactMarkdown>
    </div>
  );
}
