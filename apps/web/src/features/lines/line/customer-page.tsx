import { makeLinePage, withdrawLinePage } from '@linekeeper/contract/lines/line-page.ts';
import type { Line } from '@linekeeper/contract/lines/lines.ts';
import { Link } from '@tanstack/react-router';
import { Link2, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRevealLine } from '#domain/lines/queries.ts';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { ConfirmAction } from '#kit/commands/confirm-action.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { MoreMenu } from '#kit/overlays/more-menu.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { CopyTextButton } from '#kit/ui/buttons/copy-button.tsx';
import { TimeAgo } from '#kit/ui/timestamp.tsx';
import { useMe } from '#platform/data/session.ts';
import { results } from '#platform/state/results.ts';

/** The page that the customer of a line opens without an account: its link, and whether it was opened. */
export function CustomerPage({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const [asked, setAsked] = useState<'renew' | 'withdraw'>();
  const options = { params: { id: line.id }, refreshes: ['lines'], waits: true } as const;
  const make = useCommand(makeLinePage, options);
  const withdraw = useCommand(withdrawLinePage, options);
  const { page } = line;
  const me = useMe();
  const close = () => setAsked(undefined);
  return (
    <section
      className="grid grid-cols-1 gap-2 mt-2 pt-3 border-t border-t-divider"
      aria-label={t('recurring.customerPage')}
      data-print="none"
    >
      <div className="flex items-center justify-between gap-2 min-h-8">
        <div className="min-w-0">
          <h3 className="type-strong">{t('recurring.customerPage')}</h3>
          <p className="text-text-2 type-caption">{page ? <Seen page={page} /> : t('page.hint')}</p>
        </div>
        {page ? (
          <MoreMenu
            label={t('page.more')}
            entries={[
              { name: 'renew', icon: Link2, text: t('page.renew'), act: () => setAsked('renew') },
              {
                name: 'withdraw',
                icon: Link2Off,
                text: t('page.withdraw'),
                act: () => setAsked('withdraw'),
              },
            ]}
          />
        ) : (
          <Button icon={<Link2 />} pending={make.isPending} onClick={() => void make.send()}>
            {t('page.make')}
          </Button>
        )}
      </div>
      {page && <Ways key={page.made_at} line={line} />}
      {page && line.owner_id === me.id && (
        <p className="type-caption">
          <Link className="link" to="/profile/texts" search={{ kind: 'page' }}>
            {t('texts.edit')}
          </Link>
        </p>
      )}
      {asked === 'renew' && (
        <ConfirmAction
          command={make}
          title={t('page.renew')}
          text={t('page.renewText')}
          confirmLabel={t('page.renew')}
          done={() => results.success(t('page.renewed'))}
          onClose={close}
        />
      )}
      {asked === 'withdraw' && (
        <ConfirmAction
          command={withdraw}
          tone="danger"
          title={t('page.askWithdraw')}
          text={t('page.withdrawText')}
          confirmLabel={t('page.withdraw')}
          done={() => results.success(t('page.withdrawn'))}
          onClose={close}
        />
      )}
    </section>
  );
}

function Seen({ page: { opened_at, asked_at } }: { page: NonNullable<Line['page']> }) {
  const { t } = useTranslation('line');
  const at = asked_at ?? opened_at;
  if (at === null) return t('page.notOpened');
  return (
    <>
      {t(asked_at ? 'page.asked' : 'page.opened')} <TimeAgo value={at} />
    </>
  );
}

/**
 * Ways to give the link to the customer. The link is fetched when somebody asks for it, because anyone who has it may
 * see the password.
 */
function Ways({ line }: { line: Line }) {
  const { t } = useTranslation('line');
  const { mutateAsync: reveal } = useRevealLine();
  const getLink = async () => {
    const { page } = await reveal(line.id);
    return page ?? Promise.reject<string>(t('page.unknown'));
  };
  return (
    <div className="grid grid-cols-2 gap-2">
      <ShareButton getText={getLink} label={t('page.share')} />
      <CopyTextButton getValue={getLink} label={t('page.copy')}>
        {t('share.copy')}
      </CopyTextButton>
    </div>
  );
}
