import type { Line } from '@linekeeper/contract/lines/lines.ts';
import type { Usage } from '@linekeeper/contract/lines/usage.ts';
import { Card } from '../../../shared/ui/card.tsx';
import styles from './usage.module.css';

export interface UsageProps {
  line: Line;
  usage: Usage;
  /** True on a line's page, where its parts are cards. */
  isPage: boolean;
}

/** A part of the usage: a card on a page, and a section in the panel. */
export function Part({ isPage, ...card }: { isPage: boolean } & Parameters<typeof Card>[0]) {
  return <Card {...card} {...(isPage ? {} : { className: styles.bare })} />;
}
