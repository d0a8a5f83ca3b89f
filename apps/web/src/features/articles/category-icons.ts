import type { ArticleCategory } from '@linekeeper/contract/lists/article-categories.ts';
import {
  CodeXml,
  Coins,
  type LucideIcon,
  Route,
  Server,
  ShieldCheck,
  Users,
  Wrench,
} from 'lucide-react';

export const categoryIcons: Record<ArticleCategory, LucideIcon> = {
  lines: Route,
  credits: Coins,
  servers: Server,
  accounts: Users,
  sign_in: ShieldCheck,
  api: CodeXml,
  panel: Wrench,
};
