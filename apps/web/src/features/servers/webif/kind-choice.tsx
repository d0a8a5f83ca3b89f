import { type ServerKind, serverKinds, WEBIF_LINES } from '@linekeeper/contract/servers/servers.ts';
import { Globe, Terminal } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Radio } from '#kit/ui/controls/radio.tsx';
import { IconTile } from '#kit/ui/icon-tile.tsx';

const icons = { api: Terminal, oscam_webif: Globe };

interface KindChoiceProps {
  value: ServerKind;
  onChange: (kind: ServerKind) => void;
}

/**
 * The choice of how the panel reaches a card server: an agent or OSCam's web interface. Arrow keys move between both,
 * and Enter chooses instead of submitting the form.
 */
export function KindChoice({ value, onChange }: KindChoiceProps) {
  const { t } = useTranslation('servers');
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={t('form.kind')}
      className="grid grid-cols-2 gap-3 phone:grid-cols-1 phone:gap-2"
    >
      {serverKinds.map((kind) => {
        const Icon = icons[kind];
        return (
          <label key={kind} className="choice flex items-start gap-3 p-4 phone:p-3">
            <IconTile tone={kind === value ? 'primary' : 'neutral'}>
              <Icon size={20} />
            </IconTile>
            <span className="flex-1 min-w-0">
              <b className="type-strong">{t(`kind.${kind}.title`)}</b>
              <p className="mt-0.5 text-text-2 type-caption">
                {t(`kind.${kind}.text`, { most: WEBIF_LINES })}
              </p>
            </span>
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
          </label>
        );
      })}
    </div>
  );
}
