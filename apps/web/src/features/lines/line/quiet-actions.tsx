import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { ArrowLeftRight } from 'lucide-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { OpenButton, useLineActions } from '#domain/lines/actions.tsx';
import type { ButtonLook } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { useMe } from '#platform/data/session.ts';

const names = ['renew', 'suspend', 'resume', 'move', 'delete'] as const;

interface QuietActionsProps {
  line: Line;
  /** True if renewing is not the main action of the page. */
  hasRenew?: boolean;
}

/** Actions that a line needs only now and then, such as suspending or deleting it. */
export function QuietActions({ line, hasRenew = false }: QuietActionsProps) {
  const { is_admin } = useMe();
  const actions = useLineActions(line, names).filter(({ name }) => hasRenew || name !== 'renew');
  return (
    <span className="contents [&>[data-tone=primary]]:text-neutral-fg">
      {actions.map(({ name, text, icon: Icon, isDangerous }) => (
        <Fragment key={name}>
          {name === 'delete' && !is_admin && <AskToMove line={line} variant="text" />}
          <OpenButton
            line={line}
            action={name}
            variant="text"
            tone={isDangerous ? 'danger' : 'primary'}
            icon={<Icon />}
          >
            {text}
          </OpenButton>
        </Fragment>
      ))}
    </span>
  );
}

/** A link to a ticket that asks an administrator to move the line. */
export function AskToMove({ line, variant }: { line: Line } & Pick<ButtonLook, 'variant'>) {
  const { t } = useTranslation('line');
  return (
    <ButtonLink
      variant={variant}
      icon={<ArrowLeftRight aria-hidden="true" />}
      to="/tickets/new"
      search={{ title: t('act.askTitle', { username: line.username }), about: line.id }}
    >
      {t('todo.ask')}
    </ButtonLink>
  );
}
