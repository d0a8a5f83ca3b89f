import { mailedNotices } from '@linekeeper/contract/lists/preferences.ts';
import { fieldsOfAccounts } from './field-texts/accounts.ts';
import { fieldsOfCredits } from './field-texts/credits.ts';
import { fieldsOfLines, meaningsOfLineDetails } from './field-texts/lines.ts';
import { fieldsOfServers } from './field-texts/servers.ts';
import { fieldsOfSupport } from './field-texts/support.ts';

const written: Record<string, string> = {
  ...meaningsOfLineDetails,

  // Fields that many calls have in common.
  id: 'Names it in other calls',
  items: 'The rows of this page, or all if the list has no pages',
  next_cursor: 'Send it as `cursor` to get the next page; `null` on the last page',
  total: 'How many rows match, counted up to 10,000; on the first page only',
  total_is_exact: 'False if counting stopped at 10,000',
  success: 'Always true: a failure is an error with its own status',
  message: 'A sentence in English; `null` if there is nothing to say',
  expires_at: 'The last moment; for a day its end; `null` for no end',
  from: 'The first day',
  to: 'The last day',
  note: 'A note, shown with the transfer or order',
  reason: 'Why; shown to those concerned',
  language: 'Language of pages and mails',
  locale: 'Language of the article',
  position: 'Place in the order, counted from 1',
  data: 'Values that the sentence was made of',
  finding: 'The message as a code with data; `null` without one',
  number: 'The number that people see',
  today: "The panel's current day",
  time_zone: 'IANA name of the time zone in which days end',
  file: 'The file, as the part `file` of a multipart form',

  ...fieldsOfAccounts,
  ...fieldsOfLines,
  ...fieldsOfServers,
  ...fieldsOfCredits,
  ...fieldsOfSupport,

  // Settings and the panel.
  legal_notice: 'Legal notice, shown before sign-in',
  sign_up_open: 'True if visitors may create accounts',
  sends_mail: 'False without a mail server',
  trial_limit: 'Live trials that one account may have',
  trial_daily_limit: 'Trials in 24 hours of an account and all accounts below it',
  trial_name_days: 'Days in which a name has one trial on a server; 0 for no limit',
  undo_daily_limit:
    'Delivered lines whose sale or renewal an account and all accounts below it undo in 24 hours',
  articles_public: 'True if articles can be read without signing in',
  reminder_hour: 'Hour of the day from which reminders are sent',
  first_steps: 'True for the first steps on the dashboard',
  mails: 'Which notices are mailed, too',
  reminder_days: 'Days before an expiry on which the owner is reminded',
  low_balance: 'The account is notified below this balance; `null` for never',
  name_prefix: 'Beginning of the names proposed for new lines; `null` for the account’s own name',
  sale_months: 'Months of the last sale; `null` before the first',
  renewal_months: 'Months for which one press renews; `null` before the first choice',
  density: '`comfortable` or `compact`',
  search: 'Filters and order of the view, by their names in the address of the page',
  country_code: 'ISO 3166 code of the country; `null` if unknown',
  faults: 'How many entries were altered',
  source: 'What recorded it: the audit log, the ledger or a delivery',
  subject_type: 'What kind of thing it was about',
  subject_name: 'Its name at that time',
  push: 'The delivery; `null` for other entries',
  until: 'The end; `null` if there is none',
  failures: 'How often it failed before',
  took_ms: 'Milliseconds from the change to its delivery',
  other: 'The other account',
};

/**
 * Text of the API's documentation about a field or parameter: by its name, or by `place.name` if it means something
 * else in a schema or call; one text may have several places. A server-side list, because no browser needs it.
 */
export const fieldTexts: Record<string, string> = Object.fromEntries(
  Object.entries(written).flatMap(([key, text]) => {
    const [field, places] = key.split('.').toReversed();
    return places?.split(' ').map((place) => [`${place}.${field}`, text]) ?? [[key, text]];
  }),
);

/** Kinds of notices, by their name in `mails`. */
export const mailTexts: Record<string, string> = Object.fromEntries(
  mailedNotices.map(({ name, meaning }) => [name, meaning]),
);
