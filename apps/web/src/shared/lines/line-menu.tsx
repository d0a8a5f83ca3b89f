import type { Line } from '@linekeeper/contract/lines/lines.ts';
import Divider from '@mui/material/Divider';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { MoreItem, MoreList } from '../ui/overlays/more-list.tsx';
import { Caption } from '../ui/vocabulary.tsx';
import { useLineActions } from './actions.tsx';
import styles from './cells.module.css';

/** Actions that have no button in the row, and need no look at the line. */
const names = ['move', 'suspend', 'resume', 'delete'] as const;
type Asking = (typeof names)[number];

interface LineMenuProps {
  line: Line;
  anchor: HTMLElement;
  onClose: () => void;
  onChoose: (action: Asking) => void;
}

export function LineMenu({ line, anchor, onClose, onChoose }: LineMenuProps) {
  const { t } = useTranslation();
  const actions = useLineActions(line, names);
  const whyId = useId();
  const why = actions.find(({ blocked }) => blocked)?.blocked;
  return (
    <MoreList
      anchor={anchor}
      label={t('line.moreOf', { username: line.username })}
      onClose={onClose}
      disableRestoreFocus
    >
      {actions.flatMap(({ name, text, icon, isDangerous, blocked }) => [
        isDangerous && <Divider key={`before-${name}`} component="li" />,
        <MoreItem
          key={name}
          icon={icon}
          text={text}
          isDangerous={isDangerous ?? false}
          onClick={() => onChoose(name)}
          disabled={Boolean(blocked)}
          aria-describedby={blocked && whyId}
        />,
      ])}
      {why && (
        <Caption id={whyId} role="none" as="li" className={styles.why}>
          {why}
        </Caption>
      )}
    </MoreList>
  );
}
