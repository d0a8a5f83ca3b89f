import { type Account, createResetLink } from '@linekeeper/contract/accounts/accounts.ts';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ShareButton } from '#domain/lines/share-button.tsx';
import { useCommand } from '#kit/commands/use-command.ts';
import { LinkWarningText } from '#kit/ui/address-warning.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { ButtonLink } from '#kit/ui/buttons/button-link.tsx';
import { useCopyText } from '#kit/ui/buttons/use-copy-text.tsx';
import { DoneCard } from '#kit/ui/done-card.tsx';
import { Banner } from '#kit/ui/states/banner.tsx';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useSiteName } from '#platform/data/site-name.ts';
import { useErrorText } from '#platform/i18n/use-error-text.ts';
import { results } from '#platform/state/results.ts';

interface InvitationCardProps {
  account: Account;
  /** The password as it was typed; without one, the card creates a link to set it. */
  password: string | undefined;
  onAnother: () => void;
}

/** The card with everything that a new account's owner needs for the first sign-in, as a text to share. */
export function InvitationCard({ account, password, onAnother }: InvitationCardProps) {
  const { t } = useTranslation('accounts');
  const titleId = useId();
  const site = useSiteName();
  const copyText = useCopyText();
  const errorText = useErrorText();
  const [url, setUrl] = useState<string>();
  const making = useCommand(createResetLink, {
    params: { id: account.id },
    isSilent: true,
    done: (made) => setUrl(made.url),
  });
  const make = useEffectEvent(() => {
    if (password === undefined) void making.send();
  });
  useEffect(() => make(), []);
  const { email } = account;
  const panel = window.location.origin;
  const secret = password ?? url;
  // The text is shared without markup, so values are not escaped.
  const asText = { interpolation: { escapeValue: false } };
  const message =
    password === undefined
      ? t('invitation.message', { site, panel, email, url, ...asText })
      : t('invitation.messagePassword', { site, panel, email, password, ...asText });
  const copy = async () => {
    if (await copyText(() => message)) results.success(t('copy.done'));
  };
  const ready = secret !== undefined && (
    <>
      <Button variant="solid" onClick={() => void copy()}>
        {t('share.copy')}
      </Button>
      <ShareButton getText={() => message} />
    </>
  );
  const title = password === undefined ? 'invitation.titleLink' : 'invitation.title';
  const text = password === undefined ? 'invitation.textLink' : 'invitation.textPassword';
  return (
    <DoneCard
      titleId={titleId}
      title={t(title, { name: account.full_name || email })}
      summary={t(text)}
      actions={
        <>
          {ready}
          <Button onClick={onAnother}>{t('invitation.another')}</Button>
          <ButtonLink to="/accounts/$id" params={{ id: account.id }} variant="text">
            {t('open')}
          </ButtonLink>
        </>
      }
    >
      <SummaryRows
        look="facts"
        rows={[
          { label: t('invitation.panel'), value: <TypedText>{panel}</TypedText> },
          { label: t('field.email'), value: <TypedText>{email}</TypedText> },
          ...(password === undefined
            ? []
            : [{ label: t('field.password'), value: <TypedText>{password}</TypedText> }]),
        ]}
      />
      {password === undefined && (
        <div className="grid grid-cols-1 gap-1 mt-4 min-w-0 wrap-anywhere">
          <span className="text-text-2 type-caption">{t('invitation.link')}</span>
          <code className="min-w-0 wrap-anywhere">{url ?? '…'}</code>
        </div>
      )}
      <LinkWarningText text={url ?? panel} />
      {making.error !== null && <Banner tone="error" title={errorText(making.error)} isAlert />}
    </DoneCard>
  );
}
