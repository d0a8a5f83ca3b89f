import { type ServerKind, serverKinds, WEBIF_LINES } from '@linekeeper/contract/servers/servers.ts';
import { Globe, Terminal } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Radio } from '#kit/ui/controls/radio.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';
import { Caption, Row, Strong, Text } from '#kit/ui/vocabulary.tsx';
import styles from './webif.module.css';

const icons = { api: Terminal, oscam_webif: Globe };

interface KindChoiceProps {
  value: ServerKind;
  onChange: (kind: ServerKind) => void;
}

/** The way in which the panel reaches a card server. Arrows move between both, and Enter chooses instead of submitting. */
export function KindChoice({ value, onChange }: KindChoiceProps) {
  const { t } = useTranslation('servers');
  const name = useId();
  return (
    <div role="radiogroup" aria-label={t('form.kind')} className={styles.kinds}>
      {serverKinds.map((kind) => {
        const Icon = icons[kind];
        return (
          <Row as="label" key={kind} align="start" gap={12} className={`choice ${styles.kind}`}>
            <IconTile tone={kind === value ? 'primary' : 'neutral'}>
              <Icon size={20} />
            </IconTile>
            <Text grow>
              <Strong>{t(`reach.${kind}.title`)}</Strong>
              <Caption as="p" above={2}>
                {t(`reach.${kind}.text`, { most: WEBIF_LINES })}
              </Caption>
            </Text>
            <Radio
              name={name}
              checked={kind === value}
              onChange={() => onChange(kind)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                onChange(kind);
              }}
            />
          </Row>
        );
      })}
    </div>
  );
}
