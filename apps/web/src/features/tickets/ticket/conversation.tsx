import { type Attachment, hasPreview } from '@linekeeper/contract/tickets/attachments.ts';
import type { Ticket, TicketReply, TicketWithFiles } from '@linekeeper/contract/tickets/tickets.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowRightLeft, Download, EyeOff, Paperclip } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNamedLines } from '#domain/lines/named-lines.ts';
import { formatSize } from '#features/tickets/attachments/format-size.ts';
import { conversationQuery } from '#features/tickets/queries.ts';
import { Markdown } from '#kit/markdown/markdown.tsx';
import type { NamedInText } from '#kit/markdown/markdown-text.tsx';
import { SheetDialog } from '#kit/overlays/dialogs/sheet-dialog.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Badge } from '#kit/ui/badge.tsx';
import { Button, buttonLook } from '#kit/ui/buttons/button.tsx';
import { FailedPanel } from '#kit/ui/states/failed-panel.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { isolate } from '#platform/i18n/isolate.ts';

/** The conversation of a ticket, oldest first: its description, then replies, notes and changes. */
export function Conversation({ ticket }: { ticket: TicketWithFiles }) {
  const { t } = useTranslation('tickets');
  const { data, error, refetch, ...more } = useInfiniteQuery(conversationQuery(ticket.id));
  const lines = (data?.pages ?? []).flatMap(({ items }) => items).reverse();
  const named = useNamedLines([ticket.description, ...lines.map(({ content }) => content)]);
  return (
    <section
      className="grid grid-cols-1 gap-6 p-(--card-pad) [&>button]:justify-self-center"
      role="log"
      aria-label={t('conversation')}
    >
      <Message
        accountId={ticket.user_id}
        name={ticket.user_name}
        at={ticket.created_at}
        look="owner"
        isAdmin={ticket.user_is_admin}
        content={ticket.description}
        named={named}
        files={ticket.attachments}
      />
      {more.hasNextPage && (
        <Button
          variant="text"
          pending={more.isFetchingNextPage}
          onClick={() => void more.fetchNextPage()}
        >
          {t('earlier')}
        </Button>
      )}
      {lines.map((line) =>
        line.event ? (
          <Event key={line.id} line={line} event={line.event} />
        ) : (
          <Message
            key={line.id}
            accountId={line.user_id}
            name={line.user_name}
            at={line.created_at}
            look={lookOf(line, ticket)}
            isAdmin={line.is_admin}
            content={line.content}
            named={named}
            files={line.attachments}
          />
        ),
      )}
      {error && !data && <FailedPanel error={error} onRetry={() => void refetch()} />}
    </section>
  );
}

type Look = 'owner' | 'answer' | 'note';

function lookOf({ kind, user_id }: TicketReply, ticket: Ticket): Look {
  if (kind === 'note') return 'note';
  return user_id === ticket.user_id ? 'owner' : 'answer';
}

interface MessageProps {
  accountId: string;
  name: string;
  at: string;
  look: Look;
  isAdmin: boolean;
  content: string;
  /** Lines whose names occur in the text. */
  named: NamedInText | undefined;
  files: readonly Attachment[];
}

function Message(props: MessageProps) {
  const { accountId, name, at, look, isAdmin, content, named, files } = props;
  const { t } = useTranslation('tickets');
  return (
    <article
      className="flex items-stretch gap-4 min-w-0 wrap-anywhere [&>div]:max-w-150 [&_header>[data-tone]]:h-5 [&_header>[data-tone]]:py-0 [&_header>[data-tone]]:px-1.5 phone:[&>:first-child]:hidden"
      data-look={look}
    >
      <Avatar accountId={accountId} name={name} />
      <div className="flex-1 min-w-0">
        <header className="flex items-center flex-wrap gap-y-1 gap-x-2 mb-2 min-w-0 wrap-anywhere">
          <b className="type-strong">
            <TypedText>{name}</TypedText>
          </b>
          {isAdmin ? (
            <Badge tone="info">{t('isAdmin')}</Badge>
          ) : (
            look === 'owner' && <Badge tone="neutral">{t('field.owner')}</Badge>
          )}
          {look === 'note' && (
            <Badge tone="warning" icon={<EyeOff />}>
              {t('note')}
            </Badge>
          )}
          <small>
            <Timestamp value={at} />
          </small>
        </header>
        <div className="py-3 px-4 [border-radius:4px_12px_12px] bg-head [&>div]:type-body [[data-look=answer]_&]:bg-primary-soft [[data-look=note]_&]:bg-warning-bg phone:rounded-[12px]">
          {content && <Markdown text={content} named={named} keepsLines />}
          <AttachedFiles files={files} />
        </div>
      </div>
    </article>
  );
}

interface EventProps {
  line: TicketReply;
  event: NonNullable<TicketReply['event']>;
}

function useEventText() {
  const { t, i18n } = useTranslation('tickets');
  return ({ field, from, to }: EventProps['event']) => {
    if (field === 'assigned_to') {
      return to === null
        ? t('event.unassigned', { from: from ?? '' })
        : t('event.assigned_to', { to });
    }
    const named = (value: string | null) => {
      const key = `${field}.${value}`;
      return i18n.exists(`tickets:${key}`) ? t(key as 'status.open') : (value ?? '–');
    };
    return t(`event.${field}`, { from: named(from), to: named(to) });
  };
}

function Event({ line, event }: EventProps) {
  const text = useEventText()(event);
  return (
    <p className="flex items-baseline justify-center gap-2 text-text-2 type-caption min-w-0 wrap-anywhere [&_svg]:[transform:translateY(2px)]">
      <ArrowRightLeft size={14} />
      <span>
        {text}, <TypedText>{line.user_name}</TypedText>, <Timestamp value={line.created_at} />
      </span>
    </p>
  );
}

function AttachedFiles({ files }: { files: readonly Attachment[] }) {
  const { t } = useTranslation('tickets');
  const [shown, setShown] = useState<Attachment | null>(null);
  if (files.length === 0) return null;
  return (
    <>
      <ul
        className="flex flex-wrap items-end gap-2 mt-2 first:mt-0 [&_li]:grid-cols-[minmax(0,auto)] [&_li]:justify-items-start [&_li]:max-w-full"
        aria-label={t('attach.title')}
      >
        {files.map((file) => (
          <li className="grid grid-cols-1 gap-1 min-w-0 wrap-anywhere" key={file.id}>
            {hasPreview(file) && <Preview file={file} onShow={() => setShown(file)} />}
            <FileLink file={file} />
          </li>
        ))}
      </ul>
      {shown && <ImageDialog file={shown} onClose={() => setShown(null)} />}
    </>
  );
}

function FileLink({ file: { name, url, size } }: { file: Attachment }) {
  const { t, i18n } = useTranslation('tickets');
  return (
    <a
      href={url}
      download={name}
      className="flex items-center border border-divider-strong rounded-control bg-paper gap-2 min-w-0 max-w-full min-h-9 py-0 px-3 text-text phone:min-h-11"
      title={t('attach.download', { name })}
    >
      <Paperclip size={16} />
      <b className="type-strong truncate">
        <TypedText>{name}</TypedText>
      </b>
      <span className="flex-none text-text-2 type-caption">{formatSize(size, i18n.language)}</span>
    </a>
  );
}

interface PreviewProps {
  file: Attachment;
  onShow: () => void;
}

/** A picture of the file. The panel serves it as a download, which browsers draw as an image, but not as a page. */
function Preview({ file: { name, url, width, height }, onShow }: PreviewProps) {
  const { t } = useTranslation('tickets');
  const [hasFailed, setFailed] = useState(false);
  if (hasFailed) return null;
  return (
    <button
      type="button"
      className="border border-divider-strong rounded-control bg-paper block overflow-hidden max-w-full [&_img]:block [&_img]:w-auto [&_img]:min-w-11 [&_img]:max-w-full [&_img]:h-auto [&_img]:min-h-11 [&_img]:max-h-40 [&_img]:[object-fit:contain]"
      aria-label={t('attach.show', { name })}
      onClick={onShow}
    >
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        width={width ?? undefined}
        height={height ?? undefined}
        onError={() => setFailed(true)}
      />
    </button>
  );
}

function ImageDialog({ file, onClose }: { file: Attachment; onClose: () => void }) {
  const { t } = useTranslation();
  const { name, url } = file;
  return (
    <SheetDialog
      title={isolate(name)}
      onClose={onClose}
      footer={
        <a href={url} download={name} {...buttonLook({ variant: 'solid' })}>
          <Download />
          {t('action.download')}
        </a>
      }
    >
      <img
        className="block max-w-full h-auto max-h-[70vh] m-auto [object-fit:contain]"
        src={url}
        alt={isolate(name)}
      />
    </SheetDialog>
  );
}
