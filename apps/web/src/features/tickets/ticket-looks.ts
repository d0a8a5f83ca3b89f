import type { TicketPriority, TicketStatus } from '@linekeeper/contract/tickets/tickets.ts';
import { ChevronDown, ChevronsUp, CircleAlert, Equal, type LucideIcon } from 'lucide-react';
import type { BadgeTone } from '#kit/ui/badge.tsx';

export const statusTones: Record<TicketStatus, BadgeTone> = {
  open: 'warning',
  in_progress: 'info',
  pending: 'neutral',
  closed: 'neutral',
};

export const priorityLooks: Record<TicketPriority, { tone: BadgeTone; Icon: LucideIcon }> = {
  low: { tone: 'neutral', Icon: ChevronDown },
  medium: { tone: 'neutral', Icon: Equal },
  high: { tone: 'warning', Icon: ChevronsUp },
  urgent: { tone: 'error', Icon: CircleAlert },
};

/** The number of a ticket as people write it: "#12". */
export function ticketNumber({ number }: { number: number }): string {
  return `#${number}`;
}
