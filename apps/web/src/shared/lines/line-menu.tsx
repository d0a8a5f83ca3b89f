import type { Line } from '@linekeeper/contract/lines/lines.ts';
import Divider from '@mui/material/Divider';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { MoreItem, MoreList } from '../ui/overlays/more-list.tsx';
import { Caption } from '../ui/vocabulary.tsx';
import { type LineAction, useLineActions, useLineEffects } from './actions.tsx';
import styles from './cells.module.css';
import { useOpenLine } from './line-place.ts';

/** What the line's own page has is left to it, as is renewing to the button beside the menu. */
const names = ['edit', 'copyCredentials', 'move', 'suspend', 'resume', 'delete'] as const;

/** Menu entries that open a dialog. */
const asking = ['move', 'suspend', 'resume', 'delete'] as const;
type Asking = (typeof asking)[number];

interface LineMenuProps {
  line: Line;
  anchor: HTMLElement;
  onClose: () => void;
  onChoose: (action: Asking) => void;
}

export function LineMenu({ line, anchor, onClose, onChoose }: LineMenuProps) {
  const { t } = useTranslation();
  const effects = useLineEffects(line);
  const { open: openLine } = useOpenLine();
  const actions = useLineActions(line, names);
  const whyId = useId();
  const why = actions.find(({ blocked }) => blocked)?.blocked;
  const choose = ({ name }: LineAction) => {
    const asked = asking.find((one) => one === name);
    if (asked) return onChoose(asked);
    onClose();
    if (name === 'edit') return void openLine(line.id, { part: 'edit' });
    if (name in effects) void effects[name as keyof typeof effects]();
  };
  return (
    <MoreList
      anchor={anchor}
      label={t('line.moreOf', { username: line.username })}
      onClose={onClose}
      disableRestoreFocus
    >
      {actions.flatMap((action) => {
        const { name, text, icon, isDangerous, blocked } = action;
        return [
          isDangerous && <Divider key={`before-${name}`} component="li" />,
          <MoreItem
            key={name}
            icon={icon}
            text={text}
            isDangerous={isDangerous ?? false}
            onClick={() => choose(action)}
            disabled={Boolean(blocked)}
            aria-describedby={blocked && whyId}
          />,
        ];
      })}
      {why && (
        <Caption id={whyId} role="none" as="li" className={styles.why}>
          {why}
        </Caption>
      )}
    </MoreList>
  );
}
