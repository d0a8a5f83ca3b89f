import type { ComponentType } from 'react';
import type { ScreenPath } from '#screens/screens.ts';

type LoadPage = () => Promise<ComponentType>;

const loadSamples: LoadPage = async () =>
  (await import('#features/samples/samples-page.tsx')).SamplesPage;

/**
 * Functions that load the code of each screen, by path. entry.ts uses this file before the libraries are loaded, so it
 * may import only types statically, and does not read the register of screens.
 */
export const pages: Record<ScreenPath, LoadPage> = {
  '/sign-in': async () => (await import('#features/auth/sign-in-page.tsx')).SignInPage,
  '/sign-up': async () => (await import('#features/auth/sign-up-page.tsx')).SignUpPage,
  '/callback': async () => (await import('#features/auth/callback-page.tsx')).CallbackPage,
  '/forgot-password': async () =>
    (await import('#features/auth/forgot-password-page.tsx')).ForgotPasswordPage,
  '/reset-password': async () =>
    (await import('#features/auth/reset-password-page.tsx')).ResetPasswordPage,
  '/404': async () => (await import('./not-found-page.tsx')).NotFoundPage,
  '/': async () => (await import('#features/dashboard/dashboard-page.tsx')).DashboardPage,
  '/numbers': async () => (await import('#features/dashboard/numbers-page.tsx')).NumbersPage,
  '/profile/edit': async () => (await import('#features/profile/profile-page.tsx')).ProfilePage,
  '/profile/texts': async () => (await import('#features/profile/texts/texts-page.tsx')).TextsPage,
  '/profile/webhooks': async () =>
    (await import('#features/profile/webhooks/webhooks-page.tsx')).WebhooksPage,
  '/settings': async () => (await import('#features/settings/settings-page.tsx')).SettingsPage,
  '/users/all': async () => (await import('#features/lines/list/lines-page.tsx')).LinesPage,
  '/users/add': async () => (await import('#features/lines/sell/add-line-page.tsx')).AddLinePage,
  '/users/$id': async () => (await import('#features/lines/line/line-page.tsx')).LinePage,
  '/users/tell/$id': async () => (await import('#features/lines/tell/tell-page.tsx')).TellPage,
  '/users/import': async () => (await import('#features/lines/import/import-page.tsx')).ImportPage,
  '/resellers': async () => (await import('#features/accounts/resellers-page.tsx')).ResellersPage,
  '/resellers/add': async () =>
    (await import('#features/accounts/add-account-page.tsx')).AddAccountPage,
  '/accounts': async () => (await import('#features/accounts/my-accounts-page.tsx')).MyAccountsPage,
  '/accounts/add': async () =>
    (await import('#features/accounts/add-account-page.tsx')).AddAccountPage,
  '/accounts/$id': async () =>
    (await import('#features/accounts/account/account-page.tsx')).AccountPage,
  '/manage-groups': async () => (await import('#features/groups/groups-page.tsx')).GroupsPage,
  '/manage-groups/add': async () =>
    (await import('#features/groups/add-group-page.tsx')).AddGroupPage,
  '/manage-groups/$id': async () =>
    (await import('#features/groups/edit-group-page.tsx')).EditGroupPage,
  '/redeem-code': async () => (await import('#features/redeem-codes/redeem-page.tsx')).RedeemPage,
  '/redeem-codes': async () =>
    (await import('#features/redeem-codes/codes-page.tsx')).RedeemCodesPage,
  '/redeem-codes/add': async () =>
    (await import('#features/redeem-codes/add-codes-page.tsx')).AddCodesPage,
  '/activation-codes': async () =>
    (await import('#features/activation-codes/codes-page.tsx')).ActivationCodesPage,
  '/activate': async () =>
    (await import('#features/activation-codes/activate-page.tsx')).ActivatePage,
  '/messages': async () => (await import('#features/messages/messages-page.tsx')).MessagesPage,
  '/messages/create': async () =>
    (await import('#features/messages/create-message-page.tsx')).CreateMessagePage,
  '/credits': async () => (await import('#features/credits/credits-page.tsx')).CreditsPage,
  '/payments/pricing': async () => (await import('#features/top-ups/pricing-page.tsx')).PricingPage,
  '/payments/top-ups': async () => (await import('#features/top-ups/top-ups-page.tsx')).TopUpsPage,
  '/payments/plans': async () => (await import('#features/prices/prices-page.tsx')).PricesPage,
  '/payments/plans/add': async () =>
    (await import('#features/prices/plans/add-plan-page.tsx')).AddPlanPage,
  '/payments/plans/$id': async () =>
    (await import('#features/prices/plans/edit-plan-page.tsx')).EditPlanPage,
  '/contact': async () => (await import('#features/contact/contact-page.tsx')).ContactPage,
  '/support/contact-us': async () =>
    (await import('#features/contact/contact-us-page.tsx')).ContactUsPage,
  '/support/contact': async () =>
    (await import('#features/contact/inbox-page.tsx')).ContactInboxPage,
  '/tickets/setup': async () => (await import('#features/system/setup-page.tsx')).SetupPage,
  '/supabase-test': async () =>
    (await import('#features/system/connection-page.tsx')).ConnectionPage,
  '/support/knowledge-base': async () =>
    (await import('#features/articles/knowledge-base-page.tsx')).KnowledgeBasePage,
  '/support/knowledge-base/add': async () =>
    (await import('#features/articles/edit/add-article-page.tsx')).AddArticlePage,
  '/support/knowledge-base/edit/$id': async () =>
    (await import('#features/articles/edit/edit-article-page.tsx')).EditArticlePage,
  '/support/knowledge-base/$id': async () =>
    (await import('#features/articles/article-page.tsx')).ArticlePage,
  '/tickets': async () => (await import('#features/tickets/tickets-page.tsx')).TicketsPage,
  '/tickets/new': async () => (await import('#features/tickets/new-ticket-page.tsx')).NewTicketPage,
  '/tickets/$id': async () => (await import('#features/tickets/ticket/ticket-page.tsx')).TicketPage,
  '/user': loadSamples,
  '/products': loadSamples,
  '/blog': loadSamples,
  '/audit': async () => (await import('#features/audit/audit-page.tsx')).AuditPage,
  '/cccam-servers/manage': async () =>
    (await import('#features/servers/list/servers-page.tsx')).ServersPage,
  '/cccam-servers/add': async () =>
    (await import('#features/servers/edit/add-server-page.tsx')).AddServerPage,
  '/cccam-servers/$id': async () =>
    (await import('#features/servers/server/overview-page.tsx')).ServerPage,
  '/cccam-servers/$id/lines': async () =>
    (await import('#features/servers/server/lines-page.tsx')).ServerLinesPage,
  '/cccam-servers/$id/clients': async () =>
    (await import('#features/servers/clients/clients-page.tsx')).ClientsPage,
  '/cccam-servers/$id/differences': async () =>
    (await import('#features/servers/differences/differences-page.tsx')).DifferencesPage,
  '/cccam-servers/$id/health': async () =>
    (await import('#features/servers/health/server-health-page.tsx')).ServerHealthPage,
  '/cccam-servers/$id/test': async () =>
    (await import('#features/servers/test-call/test-page.tsx')).TestPage,
  '/cccam-servers/$id/edit': async () =>
    (await import('#features/servers/edit/edit-server-page.tsx')).EditServerPage,
  '/cccam-servers/sync': async () => (await import('#features/sync/sync-page.tsx')).SyncPage,
};

/** Loads the frame around all screens that need a session or a setting. */
export const loadFrame: LoadPage = async () => (await import('./frame.tsx')).Frame;

/**
 * Paths of the visitors' screens, which have no frame around them. They are listed here because the register of
 * screens, with its schemas, would be too much for the first script.
 */
export const outside: readonly string[] = [
  '/sign-in',
  '/sign-up',
  '/callback',
  '/forgot-password',
  '/reset-password',
  '/404',
  '/contact',
  '/activate',
];
