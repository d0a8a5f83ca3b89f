import { useTranslation } from 'react-i18next';
import { useControlKey } from '../../shared/browser/control-key.ts';
import { useChangePreferences, usePreferences } from '../../shared/data/preferences.ts';
import { useCan } from '../../shared/data/session.ts';
import { Card } from '../../shared/ui/card.tsx';
import { SwitchRow } from '../../shared/ui/controls/switch-row.tsx';
import styles from './settings.module.css';

export function KeyboardCard() {
  const { t } = useTranslation('settings');
  const { shortcuts } = usePreferences();
  const { change, offerUndo } = useChangePreferences();
  const canSell = useCan(['view_users']);
  const palette = `${useControlKey()} K`;
  const keys = [
    { key: palette, text: t('shortcuts.palette') },
    ...(canSell
      ? [
          { key: '/', text: t('shortcuts.search') },
          { key: 'n', text: t('shortcuts.addLine') },
        ]
      : []),
    { key: '?', text: t('keyboard.all') },
  ];
  return (
    <Card title={t('keyboard.title')}>
      <SwitchRow
        label={t('keyboard.shortcuts')}
        hint={t('keyboard.hint', { key: palette })}
        checked={shortcuts}
        onChange={(isOn) => {
          change({ shortcuts: isOn });
          offerUndo(t('saved'), { shortcuts });
        }}
      />
      <dl className={styles.keys}>
        {keys.map(({ key, text }) => (
          <div key={key}>
            <dt>{text}</dt>
            <dd>
              <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
