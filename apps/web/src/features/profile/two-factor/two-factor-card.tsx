import { enableTwoFactor, newRecoveryCodes } from '@linekeeper/contract/auth/two-factor.ts';
import type { Reply } from '@linekeeper/contract/endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { twoFactorQuery } from '#features/profile/queries.ts';
import { useCommand } from '#kit/commands/use-command.ts';
import { Badge } from '#kit/ui/badge.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { lazyPart } from '#platform/start/lazy-part.tsx';

const PasswordDialog = lazyPart(() => import('./password-dialog.tsx'), 'PasswordDialog');
const TurnOffDialog = lazyPart(() => import('./turn-off-dialog.tsx'), 'TurnOffDialog');
const SetUp = lazyPart(() => import('./set-up.tsx'), 'SetUp');
const MadeCodes = lazyPart(() => import('./made-codes.tsx'), 'MadeCodes');

type Begun = Reply<typeof enableTwoFactor>;
type Dialog = 'set-up' | 'turn-off' | 'codes';
/** The change that was made last on this page. */
type Done = 'nowOn' | 'nowOff';

export function TwoFactorCard() {
  const { t } = useTranslation('twoFactor');
  const { data: state, error, refetch } = useQuery(twoFactorQuery());
  const [dialog, setDialog] = useState<Dialog>();
  const [begun, setBegun] = useState<Begun>();
  const [madeCodes, setMadeCodes] = useState<readonly string[]>();
  const [done, setDone] = useState<Done>();
  const begin = useCommand(enableTwoFactor, { done: setBegun });
  const makeCodes = useCommand(newRecoveryCodes, {
    refreshes: ['two-factor'],
    waits: true,
    done: ({ recovery_codes }) => setMadeCodes(recovery_codes),
  });
  const close = () => setDialog(undefined);
  const open = (chosen: Dialog) => {
    setDone(undefined);
    setDialog(chosen);
  };
  if (!state && error) {
    return (
      <Card title={t('title')}>
        <FailedPanel error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  return (
    <Card
      title={t('title')}
      action={
        state && (
          <Badge tone={state.is_on ? 'success' : 'warning'}>{t(state.is_on ? 'on' : 'off')}</Badge>
        )
      }
    >
      <div className="grid grid-cols-1 gap-4" aria-busy={!state}>
        {done && (
          <div role="status">
            <Banner tone="success" title={t(done)} />
          </div>
        )}
        {begun ? (
          <SetUp
            begun={begun}
            onClose={() => setBegun(undefined)}
            onTurnedOn={() => {
              setBegun(undefined);
              setDone('nowOn');
            }}
          />
        ) : (
          state && <State state={state} onOpen={open} />
        )}
        {madeCodes && <MadeCodes codes={madeCodes} onClose={() => setMadeCodes(undefined)} />}
      </div>
      {dialog === 'set-up' && (
        <PasswordDialog
          title={t('title')}
          submitLabel={t('confirm.continue')}
          command={begin}
          onClose={close}
        />
      )}
      {dialog === 'codes' && (
        <PasswordDialog
          title={t('confirm.newCodes')}
          text={t('confirm.newCodesText')}
          submitLabel={t('nav.addCodes')}
          command={makeCodes}
          onClose={close}
        />
      )}
      {dialog === 'turn-off' && (
        <TurnOffDialog
          onTurnedOff={() => {
            setMadeCodes(undefined);
            setDone('nowOff');
          }}
          onClose={close}
        />
      )}
    </Card>
  );
}

interface StateProps {
  state: { is_on: boolean; recovery_codes_left: number };
  onOpen: (dialog: Dialog) => void;
}

/** The state of two-factor sign-in, with the actions on it. */
function State({ state, onOpen }: StateProps) {
  const { t } = useTranslation('twoFactor');
  if (!state.is_on) {
    return (
      <>
        <p>{t('offText')}</p>
        <div className="flex flex-wrap items-stretch gap-2">
          <Button variant="solid" onClick={() => onOpen('set-up')}>
            {t('setUp')}
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <p>{t('left', { count: state.recovery_codes_left })}</p>
      <div className="flex flex-wrap items-stretch gap-2">
        <Button onClick={() => onOpen('codes')}>{t('newCodes')}</Button>
        <Button tone="danger" onClick={() => onOpen('turn-off')}>
          {t('turnOff')}
        </Button>
      </div>
    </>
  );
}
