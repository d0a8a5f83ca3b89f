import type { Actor } from '@linekeeper/contract/permissions.ts';
import {
  BookOpen,
  ChartColumn,
  CircleUserRound,
  Coins,
  DatabaseZap,
  Inbox,
  LayoutDashboard,
  LifeBuoy,
  type LucideIcon,
  Mail,
  Megaphone,
  MessageSquareText,
  PlugZap,
  Plus,
  Receipt,
  RefreshCw,
  Route,
  ScrollText,
  Server,
  Settings,
  Shapes,
  Shield,
  Sun,
  Tags,
  Ticket,
  TicketPercent,
  Tickets,
  UserPlus,
  Users,
  Wallet,
} from 'lucide-react';
import { isSeller } from './places.ts';
import type { ScreenName } from './screens.ts';

/**
 * Icons of the menu and the palette. They are not in the register of screens, because signing in
 * needs none.
 */
export const screenIcons: Partial<Record<ScreenName, LucideIcon>> = {
  home: LayoutDashboard,
  numbers: ChartColumn,
  lines: Route,
  addLine: Plus,
  resellers: Users,
  addAccount: UserPlus,
  groups: Shield,
  addGroup: Plus,
  redeemCode: TicketPercent,
  redeemCodes: Tickets,
  activationCodes: Ticket,
  addRedeemCodes: Plus,
  messages: Mail,
  createMessage: Megaphone,
  credits: Coins,
  pricing: Wallet,
  topUps: Receipt,
  prices: Tags,
  addPlan: Plus,
  knowledgeBase: BookOpen,
  addArticle: Plus,
  tickets: LifeBuoy,
  newTicket: Plus,
  audit: ScrollText,
  servers: Server,
  addServer: Plus,
  sync: RefreshCw,
  profile: CircleUserRound,
  texts: MessageSquareText,
  settings: Settings,
  contactUs: Mail,
  contactInbox: Inbox,
  setup: DatabaseZap,
  connectionTest: PlugZap,
  myAccounts: Users,
  addOwnAccount: UserPlus,
  sampleUsers: Shapes,
  sampleProducts: Shapes,
  sampleBlog: Shapes,
};

/** Icons of the screens that have another icon for sellers. */
const sellerIcons: Partial<Record<ScreenName, LucideIcon>> = { home: Sun };

export function iconFor(name: ScreenName, actor: Actor): LucideIcon | undefined {
  return (isSeller(actor) && sellerIcons[name]) || screenIcons[name];
}
