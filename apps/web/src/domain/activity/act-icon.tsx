import {
  ArrowDownLeft,
  ArrowUpRight,
  Download,
  Eye,
  ListChecks,
  LogIn,
  LogOut,
  type LucideIcon,
  Mail,
  Pencil,
  Plus,
  RefreshCw,
  Reply,
  Server,
  Settings,
  ShieldAlert,
  StickyNote,
  Trash2,
  Undo2,
} from 'lucide-react';

/** Icons by the last word of an audit action, the kind of a transfer or the operation of a push. */
const icons: Record<string, LucideIcon> = {
  create: Plus,
  sale: Plus,
  import: Plus,
  renew: RefreshCw,
  renewal: RefreshCw,
  change_plan: RefreshCw,
  edit: Pencil,
  adjustment: Pencil,
  set: Pencil,
  delete: Trash2,
  reveal: Eye,
  undo: Undo2,
  refund: Undo2,
  take_back: Undo2,
  add: ArrowDownLeft,
  mint: ArrowDownLeft,
  redeem: ArrowDownLeft,
  topup: ArrowDownLeft,
  transfer: ArrowUpRight,
  export: Download,
  request: ListChecks,
  reply: Reply,
  answer: Reply,
  note: StickyNote,
  change_password: ShieldAlert,
  reset_on_machine: ShieldAlert,
  wrong_password: ShieldAlert,
  sign_in: LogIn,
  sign_out: LogOut,
  mail_link: Mail,
  change_email: ShieldAlert,
  two_factor_on: ShieldAlert,
  two_factor_off: ShieldAlert,
};
const bySource: Record<string, LucideIcon> = { server: Server, sync: Server, push: Server };

export function ActIcon({ action, isBare = false }: { action: string; isBare?: boolean }) {
  const [first = '', ...rest] = action.split('.');
  const Icon = bySource[first] ?? icons[rest.at(-1) ?? first] ?? Settings;
  return (
    <span
      className="grid flex-none place-items-center w-8 h-8 rounded-[8px] bg-head text-neutral-fg data-bare:w-4.5 data-bare:bg-none data-bare:bg-transparent data-bare:text-icon"
      data-bare={isBare || undefined}
      aria-hidden="true"
    >
      <Icon size={isBare ? 18 : 16} />
    </span>
  );
}
