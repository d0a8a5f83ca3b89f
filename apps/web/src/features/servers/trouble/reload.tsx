import { formatDay } from '@linekeeper/contract/dates.ts';
import {
  confirmServerDay,
  type Reload,
  type Server,
} from '@linekeeper/contract/servers/servers.ts';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useCommand } from '#kit/commands/use-command.ts';
import { Button } from '#kit/ui/buttons/button.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';

const NAMES_SHOWN = 3;

type Says = 'cannotConnect' | 'stillConnect';

/** The lines that cannot connect yet, or can still connect, until the card server has loaded their changes. */
export function WaitingLines({ reload }: { reload: Reload }) {
  const { names, cannot_connect, still_names, still_connect } = reload;
  return (
    <>
      <Names names={still_names} count={still_connect} says="stillConnect" />
      <Names names={names} count={cannot_connect} says="cannotConnect" />
    </>
  );
}

/** The first names, in a sentence with the number of further ones. */
function Names({ names, count, says }: { names: string[]; count: number; says: Says }) {
  const { t } = useTranslation();
  const shown = names.slice(0, NAMES_SHOWN);
  if (shown.length === 0) return null;
  const more = count - shown.length;
  return (
    <p className="mt-1">
      {shown.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <Link
            className="text-inherit font-semibold underline"
            to="/users/all"
            search={{ q: name }}
          >
            <TypedText>{name}</TypedText>
          </Link>
        </Fragment>
      ))}{' '}
      {more > 0
        ? t(
            says === 'cannotConnect' ? 'notLoaded.moreCannotConnect' : 'notLoaded.moreStillConnect',
            {
              count: more,
            },
          )
        : t(`notLoaded.${says}`, { count: shown.length })}
    </p>
  );
}

/**
 * The button that confirms a card server's date. Its agent lets no lines expire by a date that jumped, or that differs
 * from the panel's, until an administrator has confirmed it.
 */
export function ConfirmDay({ server }: { server: Server }) {
  const { t } = useTranslation();
  const { id, server_name: name, day_finding } = server;
  const confirm = useCommand(confirmServerDay, {
    params: { id },
    refreshes: ['servers'],
    isRepeatable: true,
    doneText: () => t('notLoaded.dayConfirmed', { name }),
  });
  const day = day_finding?.data.day ?? '';
  return (
    <Button size="small" pending={confirm.isPending} onClick={() => void confirm.send({ day })}>
      {t('notLoaded.confirmDay', { day: formatDay(day) })}
    </Button>
  );
}

/** Instructions for an agent that cannot make its card server reload accounts. */
export function HowToTell() {
  const { t } = useTranslation('servers');
  return <p>{t('nobodyTells.howTo')}</p>;
}
