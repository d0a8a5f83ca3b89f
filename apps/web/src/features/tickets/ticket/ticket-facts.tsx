import {
  ticketCategories,
  ticketPriorities,
  ticketStatuses,
} from '@linekeeper/contract/lists/lists.ts';
import type { Ticket } from '@linekeeper/contract/tickets/tickets.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ExpiryBadge } from '#domain/lines/expiry.tsx';
import { LineLink } from '#domain/lines/line-link.tsx';
import { lineQuery } from '#domain/lines/queries.ts';
import { StatusBadge as LineStatusBadge } from '#domain/lines/status.tsx';
import { DeleteTicketDialog } from '#features/tickets/delete-ticket-dialog.tsx';
import { administratorsQuery, useChange } from '#features/tickets/queries.ts';
import { useStatusToggle } from '#features/tickets/ticket-actions.tsx';
import { Category, PriorityBadge, StatusBadge } from '#features/tickets/ticket-cells.tsx';
import { FieldFrame } from '#kit/forms/fields/field-frame.tsx';
import type { SelectOption } from '#kit/forms/fields/option-text.tsx';
import { SelectBox } from '#kit/forms/fields/select-input.tsx';
import { Avatar } from '#kit/ui/avatar.tsx';
import { Button } from '#kit/ui/buttons/button.tsx';
import { Card } from '#kit/ui/card.tsx';
import { SummaryRows } from '#kit/ui/summary-rows.tsx';
import { Timestamp } from '#kit/ui/timestamp.tsx';
import { TypedText } from '#kit/ui/typed-text.tsx';
import { useMe } from '#platform/data/session.ts';

export function TicketFacts({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('tickets');
  const { is_admin } = useMe();
  return (
    <Card aria-label={t('facts.title')}>
      <div className="grid grid-cols-1 gap-4">
        {ticket.line && <TicketLine line={ticket.line} />}
        {is_admin ? <Choices ticket={ticket} /> : <Facts ticket={ticket} />}
        <StatusToggle ticket={ticket} />
        {is_admin && <Delete ticket={ticket} />}
      </div>
    </Card>
  );
}

/** The line that the ticket is about, and its present state. */
function TicketLine({ line: { id, username } }: { line: NonNullable<Ticket['line']> }) {
  const { t } = useTranslation('tickets');
  const { data: line } = useQuery(lineQuery(id));
  const rows = [
    {
      label: t('field.line'),
      value: (
        <LineLink id={id} className="link">
          <TypedText>{username}</TypedText>
        </LineLink>
      ),
    },
    { label: t('facts.lineState'), value: line ? <LineStatusBadge line={line} /> : '–' },
    { label: t('facts.lineExpiry'), value: line ? <ExpiryBadge day={line.expiry_date} /> : '–' },
  ];
  return <SummaryRows look="bare" rows={rows} />;
}

function Facts({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('tickets');
  const rows = [
    { label: t('field.status'), value: <StatusBadge status={ticket.status} /> },
    { label: t('field.priority'), value: <PriorityBadge priority={ticket.priority} /> },
    { label: t('field.category'), value: <Category category={ticket.category} /> },
    { label: t('facts.opened'), value: <Timestamp value={ticket.created_at} isDay /> },
    { label: t('facts.updated'), value: <Timestamp value={ticket.updated_at} isDay /> },
  ];
  return <SummaryRows look="bare" rows={rows} />;
}

const NOBODY = 'nobody';

function Choices({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('tickets');
  const { change, isPending } = useChange(ticket);
  const { data: administrators = [] } = useQuery(administratorsQuery());
  const assignee = (value: string, label: string) => ({
    value,
    label,
    icon: <Avatar accountId={value} name={label} size={24} />,
  });
  const named = administrators.map(({ id, full_name, email }) => assignee(id, full_name || email));
  const { assigned_to, assigned_to_name } = ticket;
  // The assignee may no longer be an administrator, and is offered in addition.
  const former =
    assigned_to && !named.some(({ value }) => value === assigned_to)
      ? [assignee(assigned_to, assigned_to_name ?? '')]
      : [];
  return (
    <>
      <Choice
        label={t('field.status')}
        value={ticket.status}
        disabled={isPending}
        options={ticketStatuses.map((value) => ({
          value,
          label: t(`status.${value}`),
          drawn: <StatusBadge status={value} />,
        }))}
        onChange={(status) => change({ status })}
      />
      <Choice
        label={t('field.priority')}
        value={ticket.priority}
        disabled={isPending}
        options={ticketPriorities.map((value) => ({
          value,
          label: t(`priority.${value}`),
          drawn: <PriorityBadge priority={value} />,
        }))}
        onChange={(priority) => change({ priority })}
      />
      <Choice
        label={t('field.category')}
        value={ticket.category}
        disabled={isPending}
        options={ticketCategories.map((value) => ({ value, label: t(`category.${value}`) }))}
        onChange={(category) => change({ category })}
      />
      <Choice
        label={t('columns.assignee')}
        value={assigned_to ?? NOBODY}
        disabled={isPending}
        options={[{ value: NOBODY, label: t('field.nobody') }, ...former, ...named]}
        onChange={(chosen) => change({ assigned_to: chosen === NOBODY ? null : chosen })}
      />
    </>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  disabled: boolean;
  options: readonly (SelectOption & { value: Value })[];
  onChange: (value: Value) => void;
}

/** A choice that takes effect immediately. */
function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { label, value, disabled, options, onChange } = props;
  const id = useId();
  return (
    <FieldFrame id={id} label={label}>
      <SelectBox
        id={id}
        value={value}
        disabled={disabled}
        options={options}
        onChange={(chosen) => {
          const option = options.find((one) => one.value === chosen);
          if (option && option.value !== value) onChange(option.value);
        }}
      />
    </FieldFrame>
  );
}

function StatusToggle({ ticket }: { ticket: Ticket }) {
  const { text, Icon, toggle, isPending } = useStatusToggle(ticket, 'conversation');
  return (
    <Button fullWidth pending={isPending} icon={<Icon aria-hidden="true" />} onClick={toggle}>
      {text}
    </Button>
  );
}

function Delete({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation('tickets');
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button
        variant="text"
        tone="danger"
        fullWidth
        icon={<Trash2 aria-hidden="true" />}
        onClick={() => setAsked(true)}
      >
        {t('delete.action')}
      </Button>
      {isAsked && (
        <DeleteTicketDialog
          row={ticket}
          onClose={() => setAsked(false)}
          onDeleted={() => navigate({ to: '/tickets' })}
        />
      )}
    </>
  );
}
