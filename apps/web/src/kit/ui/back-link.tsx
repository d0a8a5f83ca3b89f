import { createLink } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import type { AnchorHTMLAttributes, Ref } from 'react';
import styles from './back-link.module.css';

interface AnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>;
}

function BackAnchor({ children, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={styles.back} data-print="none">
      <ChevronLeft size={16} />
      {children}
    </a>
  );
}

/** Above a title, to the page that this one is under. */
export const BackLink = createLink(BackAnchor);
