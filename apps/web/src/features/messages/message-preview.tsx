import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useMe } from '../../shared/data/session.ts';
import { BellEntry, BellList } from '../../shared/layout/bell/bell-entry.tsx';
import { displayName } from '../../shared/layout/display-name.ts';
import { Card } from '../../shared/ui/card.tsx';
import { Markdown } from '../../shared/ui/markdown/markdown.tsx';
import { TypedText } from '../../shared/ui/typed-text.tsx';
import styles from './create-message.module.css';
import type { MessageControl } from './message-form.ts';
import messageStyles from './messages.module.css';

/** A preview of the message as readers will see it, in the bell and opened. */
export function MessagePreview({ control }: { control: MessageControl }) {
  const { t } = useTranslation('messages');
  const me = useMe();
  const [title, content] = useWatch({ control, name: ['title', 'content'] });
  const shownTitle = <TypedText>{title.trim() || t('form.title')}</TypedText>;
  return (
    <Card title={t('preview.title')} className={styles.preview}>
      <p>{t('preview.text')}</p>
      <h3>{t('preview.inBell')}</h3>
      <BellList>
        <BellEntry kind="message" isUnread title={shownTitle} content={content} />
      </BellList>
      <h3>{t('preview.asMessage')}</h3>
      <div className={styles.previewed}>
        <b>{shownTitle}</b>
        <small>
          <TypedText>{displayName(me)}</TypedText>
        </small>
        <div className={messageStyles.content} dir="auto">
          <Markdown text={content} keepsLines />
        </div>
      </div>
    </Card>
  );
}
