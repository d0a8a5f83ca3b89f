/**
 * Every error of the API: its exact English sentence, by HTTP status. `{name}` in a sentence is
 * filled from the error's `data`; a second sentence, if there is one, is for the value 1. The web
 * app translates by code and falls back to the English text that the server sends.
 */
const sentences = {
  400: {
    NOT_JSON: 'The request body is not valid JSON',
    REQUEST_MALFORMED: 'The request is malformed or longer than declared',
    NOT_MULTIPART: 'Send the file as multipart/form-data',
    UPLOAD_BROKEN: 'The file was not uploaded completely. Please try again.',
    INVALID_SIGNATURE: 'The signature of this event is not valid',
  },
  401: {
    NO_AUTHENTICATED_USER: 'No authenticated user found',
    LOGGED_OUT_REPLY: 'You must be logged in to add a reply',
    INVALID_API_KEY: 'The API key is unknown, revoked or expired',
    USER_NOT_AUTHENTICATED: 'User not authenticated',
    INVALID_CREDENTIALS: 'Invalid email or password',
    TWO_FACTOR_REFUSED: 'The code is wrong or has already been used',
    CHALLENGE_ENDED:
      'This sign-in took too long, or too many wrong codes were entered. Sign in again.',
  },
  403: {
    FORBIDDEN: 'You do not have permission to do this',
    ADMIN_ONLY:
      'You do not have permission to access this page. This page is only accessible to administrators.',
    ONLY_ADMINS_CREATE_MESSAGES: 'Only admins can create messages',
    REPLY_FORBIDDEN: 'You do not have permission to reply to this ticket',
    SIGN_UP_PASSWORD_NEEDED: 'Enter the password that was chosen at sign-up',
    SESSION_REQUIRED: 'This is not possible with an API key. Sign in instead.',
    SCOPE_MISSING: 'This API key does not have the scope “{scope}”',
    BACKUP_KEY_ONLY: 'A backup key can only download backups and verify the ledger',
    BACKUP_KEY_NEEDED: 'Sign in or use a backup key. Other API keys cannot download backups.',
    FOREIGN_ORIGIN: 'This request came from another site',
    SUSPENDED_FROM_ABOVE:
      'This line was suspended by an administrator or an account above yours. Only they can resume it.',
    BANNED_FROM_ABOVE:
      'This account was banned by an administrator or an account above yours. Only they can unban it.',
    SIGN_UP_CLOSED: 'Sign-up is closed',
    OWN_GROUP: 'You cannot change your own group',
    OWNER_ONLY: 'Only the owner of the line can do this',
  },
  /** The row does not exist, or belongs to another account: a stranger must not learn which ids exist. */
  404: {
    NOT_FOUND: 'Not found',
    USER_NOT_FOUND: 'User not found',
    LINE_NOT_FOUND: 'User not found',
    SERVER_NOT_FOUND: 'Server not found',
    AWAITED_NOT_FOUND: 'The panel is no longer expecting this agent. Create a new command.',
    JOB_NOT_FOUND: 'Job not found',
    GROUP_NOT_FOUND: 'Group not found',
    TRANSFER_NOT_FOUND: 'Transfer not found',
    REDEEM_CODE_NOT_FOUND: 'Code not found',
    SESSION_NOT_FOUND: 'Session not found',
    API_KEY_NOT_FOUND: 'API key not found',
    WEBHOOK_NOT_FOUND: 'Webhook not found',
    PACKAGE_NOT_FOUND: 'Package not found',
    TOP_UP_NOT_FOUND: 'Top-up not found',
    CONTACT_NOT_FOUND: 'Message not found',
    ARTICLE_NOT_FOUND: 'Article not found',
    MESSAGE_NOT_FOUND: 'Message not found',
    NOTIFICATION_NOT_FOUND: 'Notification not found',
    TICKET_NOT_FOUND: 'Ticket not found',
    ATTACHMENT_NOT_FOUND:
      'Attachment not found. Attachments that are not sent are deleted after a day.',
    CANNED_REPLY_NOT_FOUND: 'Canned reply not found',
    PLAN_NOT_FOUND: 'Plan not found',
    PRICE_LIST_NOT_FOUND: 'Price list not found',
  },
  408: { REQUEST_TIMEOUT: 'The request timed out before it was complete' },
  // The request conflicts with stored data, and may succeed later.
  409: {
    USERNAME_EXISTS: 'Username already exists. Please choose a different username.',
    EMAIL_EXISTS: 'Email already exists',
    GROUP_NAME_EXISTS: 'A group with this name already exists',
    GROUP_HAS_USERS: 'Cannot delete group with active users',
    GROUP_IS_FIXED: 'The three fixed groups cannot be deleted',
    LAST_ADMIN: 'There must be at least one administrator',
    ORPHAN_GONE:
      'This username is no longer on the server, or the panel already has it as a line or is removing it',
    ORPHAN_NAME_UNFIT:
      'This username does not meet the panel’s rules for usernames, so it can only be removed',
    ORPHAN_KEPT:
      'This account may be your own or another panel’s, so the panel does not remove it. Remove it in OSCam.',
    ORPHAN_SERVER_AWAY: 'The card server is not responding. Nothing was changed. Try again later.',
    ORPHAN_PASSWORD_UNKNOWN: 'The card server does not report the password. Enter it.',
    ORPHAN_EXPIRY_UNKNOWN: 'The card server does not report an expiry date. Enter one.',
    NO_ACTIVE_SERVERS: 'No active servers available',
    NO_ACTIVE_CCCAM_SERVERS: 'No active CCcam servers available',
    NO_SERVER_TAKES_LINES: 'No active server accepts new lines',
    INSUFFICIENT_CREDITS: 'Insufficient credits. Required: {required}, Available: {available}',
    PLAN_CHANGED_SINCE:
      'Someone else has changed this plan. Discard your changes and enter them again.',
    PLAN_IN_USE: [
      'This plan has {count} lines. Change their plan first.',
      'This plan has {count} line. Change its plan first.',
    ],
    PLAN_HAS_CODES: 'This plan has unused activation codes. Stop offering it instead.',
    PLAN_STAYS: 'The plan Standard cannot be deleted. Stop offering it instead.',
    PLAN_SERVER_HAS_LINES: [
      '{count} lines of this plan have {server_name} as their first server. Move them to another server of the plan first.',
      '{count} line of this plan has {server_name} as its first server. Move it to another server of the plan first.',
    ],
    SERVER_IN_PLAN: 'This server belongs to the plan {plan_name}. Remove it from the plan first.',
    QUOTE_CHANGED: 'The price has changed to {cost} credits. Nothing was charged.',
    LIMIT_OF_LINES: 'Line limit reached. Delete lines that you no longer need, or ask for more.',
    LIMIT_OF_ACCOUNTS: 'Account limit reached. Ask for more.',
    LIMIT_OF_TRIALS: 'Trial limit for this month reached. Ask for more.',
    ACCOUNT_ENDED: 'This account could sell until {day}. Its lines keep working.',
    DELETING_NOT_ALLOWED: 'This account is not allowed to delete lines. Suspend them instead.',
    PRICE_LIST_IN_USE: [
      'This price list is in use by {count} accounts. Give those accounts a different one first.',
      'This price list is in use by {count} account. Give that account a different one first.',
    ],
    NOT_FROM_ABOVE: [
      'You can take back at most {most} credits. The account keeps what it bought or redeemed.',
      'You can take back at most {most} credit. The account keeps what it bought or redeemed.',
    ],
    PAYER_MISSING: 'Failed to deduct credits - user ID is missing',
    TRIAL_LIMIT_REACHED: [
      'Trial limit reached. An account can have at most {limit} trials at the same time.',
      'Trial limit reached. An account can have at most {limit} trial at the same time.',
    ],
    TRIAL_DAILY_LIMIT_REACHED: [
      'Trial limit reached. An account and those below it can create at most {limit} trials in 24 hours.',
      'Trial limit reached. An account and those below it can create at most {limit} trial in 24 hours.',
    ],
    SERVER_HAS_LINES: [
      'This server still has {count} lines. Move them first.',
      'This server still has {count} line. Move it first.',
    ],
    JOB_HAS_ENDED: 'The job has already ended',
    JOB_STAYS: 'This job cannot be stopped. Undo it once it has ended.',
    CANNOT_UNDO: 'This job cannot be undone',
    LINE_NOT_UNDOABLE:
      'You can only undo the sale of a line that was never on its server, and only from the account that paid for it',
    UNDO_LIMIT_REACHED: [
      'Undo limit reached. An account and those below it can undo the sale or renewal of at most {limit} delivered lines in 24 hours.',
      'Undo limit reached. An account and those below it can undo the sale or renewal of at most {limit} delivered line in 24 hours.',
    ],
    NOTHING_TO_DO: 'None of the lines can be changed',
    ALREADY_SO: 'Nothing to change',
    LEFT_OUT_EXPIRED: 'The line has expired',
    LEFT_OUT_SUSPENDED: 'The line is suspended',
    LEFT_OUT_TRIAL: 'The line is a trial',
    LINE_CHANGED_SINCE: 'The line has been changed since then',
    UNDO_WOULD_EXPIRE: 'Undoing would leave the line expired, so its renewal is kept',
    ACCOUNT_BANNED: 'The account is banned. Unban it first.',
    NO_MAIL_SERVER: 'This panel does not send email. Ask an administrator for a link.',
    ALREADY_REFUNDED: 'This transfer has already been refunded',
    SERVER_HAS_DELETIONS: [
      '{count} usernames have not been removed from this server yet. They would keep working there.',
      '{count} username has not been removed from this server yet. It would keep working there.',
    ],
    INVALID_OR_EXPIRED_CODE: 'Invalid or expired code',
    CODE_ALREADY_REDEEMED: 'Code already redeemed by this user',
    ACTIVATION_CODE_USED: 'This code has already been used',
    TOO_MANY_WEBHOOKS: 'At most {limit} webhooks per account. Delete one first.',
    ACTIVATION_NOT_NOW: 'No line can be created right now. The code stays valid: try again later.',
    TOO_MANY_API_KEYS: 'At most {limit} API keys per account. Revoke one first.',
    TOO_MANY_PUSH_SUBSCRIPTIONS:
      'At most {maximum} devices show the notifications of an account. Remove one first.',
    CONTACT_ANSWERED: 'This message already has a reply',
    CODE_EXISTS: 'This code already exists',
    TWO_FACTOR_IS_ON: 'Two-factor sign-in is already on',
    TWO_FACTOR_IS_OFF: 'Two-factor sign-in is off',
    TOO_MANY_PACKAGES: 'At most {maximum} packages',
    TOO_MANY_ARTICLES: 'At most {maximum} articles, translations included',
    TRANSLATION_EXISTS: 'This article already exists in this language',
    TOO_MANY_TOP_UPS: 'At most {maximum} top-ups can be pending at the same time',
    TOP_UP_DECIDED: 'This top-up has already been approved, declined or withdrawn',
    NO_BANK_DETAILS:
      'Bank transfers are not set up yet. An administrator has to enter the bank details first.',
    CARDS_NOT_SET_UP: 'Card payments are not set up on this panel',
    CARD_PAYMENT_PROCESSING: 'The card payment is already being processed',
    CARD_PAYMENT_REFUSED: 'The payment service declined this payment. Please pay by bank transfer.',
    ATTACHMENT_IN_USE: 'This file is already attached',
    ATTACHMENT_QUOTA_USED:
      'Not enough space for this file: an account can store at most {maximum_mb} MB of attachments, and {used_mb} MB are used',
    CANNED_REPLY_EXISTS: 'A canned reply with this title already exists',
    TOO_MANY_CANNED_REPLIES: 'At most {maximum} canned replies',
    PANEL_ADDRESS_INSECURE:
      'The command runs as root, so it must not be loaded over plain HTTP. Open the panel at an https address, or set PUBLIC_URL.',
    AGENT_KEY_USED:
      'This key has already been used. If you did not use it, create a new key, and do not add the agent that contacted the panel.',
    AGENT_KEY_ENDED: 'This key has expired. Create a new one on the “Add server” page.',
    AGENT_KEY_UNKNOWN:
      'This panel does not know this key. Copy the command from the “Add server” page again.',
    AWAITED_ADDED: 'The server for this agent has already been added',
    AGENT_NOT_CALLED: 'The agent has not contacted the panel yet',
    DAY_NOT_CONFIRMED:
      'The card server did not accept the date. Test the server, then check its date again.',
    REQUEST_IN_PROGRESS: 'The first request with this Idempotency-Key is still running',
    DAILY_LIMIT_REACHED:
      'Daily limit reached. The limit for an account and those below it is {limit} {unit} in 24 hours.',
    TRIAL_OF_NAME: [
      'This username had a trial on this server in the last {days} days',
      'This username had a trial on this server less than {days} day ago',
    ],
  },
  413: {
    FILE_TOO_LARGE: 'The file is too large: at most {maximum_mb} MB',
    PAYLOAD_TOO_LARGE: 'The request is too large',
  },
  // A field is invalid or missing: the same request never succeeds.
  422: {
    SERVER_CLOSED: 'This server is not offered for new lines',
    SERVER_NOT_OF_PLAN: 'This server is not in the plan',
    SERVER_TWICE: 'This server is already in the list',
    PLAN_NOT_OFFERED: 'Choose a plan that is offered',
    PLAN_NEEDS_SERVERS: 'Choose the servers',
    STANDARD_ON_ONE:
      'Standard puts each line on one server. Add another plan for lines on several servers.',
    SERVER_FULL: 'Not enough room on this server. Places left: {left}.',
    VALIDATION_FAILED: 'Some fields are wrong or missing',
    BODY_NOT_OBJECT: 'The request body must be a JSON object',
    REQUIRED: 'This field is required',
    INVALID_VALUE: 'Invalid value',
    NOT_A_WHOLE_NUMBER: 'Enter a whole number',
    NUMBER_TOO_SMALL: 'Enter {minimum} or more',
    NUMBER_TOO_LARGE: 'Enter {maximum} or less',
    HIDDEN_LETTERS:
      'Invisible characters and characters that reverse the text are not allowed here. Type the text again.',
    UNKNOWN_FIELD: 'Unknown field',
    TOO_DEEP: 'The request is nested too deeply: at most {maximum} levels',
    TOO_LONG: 'At most {maximum} characters',
    TOO_MANY_BYTES:
      'Too long for card servers: at most {maximum} bytes (accented letters count as two)',
    REPLY_EMPTY: 'Write something or attach a file',
    RECIPIENT_NEEDED: 'Choose everyone, one account or one server as the recipient',
    ENDS_BEFORE_IT_BEGINS: 'The end must be after the start',
    INVALID_EMAIL: 'Enter a valid email address',
    INVALID_PHONE: 'Enter a phone number of 5 to 20 digits. Spaces and + - ( ) / are allowed, too.',
    UNKNOWN_PLACEHOLDER: 'There is no placeholder {placeholder}',
    PASSWORD_TOO_SHORT: 'Password must be at least 8 characters',
    PASSWORD_TOO_COMMON: 'This password is too common. Choose another one.',
    WRONG_CURRENT_PASSWORD: 'The current password is wrong',
    SIX_DIGITS: 'Enter the 6 digits that the app shows',
    WRONG_TWO_FACTOR_CODE: 'The code is wrong or has already been used',
    COULD_NOT_CHANGE_EMAIL: 'Could not change the email address',
    EMAIL_IS_YOURS: 'The account already has this address',
    INVALID_CONFIRMATION: 'This confirmation link is invalid or has expired',
    WRONG_SIGN_UP_PASSWORD: 'This is not the password that was chosen at sign-up',
    INVALID_RESET_LINK: 'This password reset link is invalid or has expired',
    ACCOUNT_CIRCLE: 'An account cannot be moved below itself or below one of its own accounts',
    COULD_NOT_CREATE_ACCOUNT: 'Could not create the account',
    INVALID_USER_ID: 'Invalid user ID',
    INVALID_SERVER_ID: 'Invalid server ID',
    CREDITS_NOT_POSITIVE: 'Credits must be greater than 0',
    CREDITS_NEGATIVE: 'Credits cannot be negative',
    NOT_REFUNDABLE: 'Only a sale or a renewal can be refunded',
    USERNAME_AND_PASSWORD_REQUIRED: 'Username and password are required',
    USERNAME_REQUIRED: 'Username is required',
    NOTHING_TO_UPDATE: 'At least one field to update (password or expiry date) is required',
    INVALID_LINE_USERNAME:
      'The username contains a character that card servers do not accept: {character}',
    NAME_TOO_LONG_FOR_CCCAM:
      'A CCcam client sends only the first 20 bytes of a username. Choose a shorter one.',
    NAME_SHARES_FIRST_20:
      'Another username on this card server has the same first 20 bytes, and a CCcam client sends only those. Choose a different one.',
    NAMES_NOT_FOR_CCCAM: [
      '{count} usernames cannot be used on a CCcam server, because CCcam clients send only the first 20 bytes: {names}',
      '{count} username cannot be used on a CCcam server, because CCcam clients send only the first 20 bytes: {names}',
    ],
    USERNAME_STILL_USED:
      'Another line still works as {username} on {server_name}. Try again when its new username is synced.',
    INVALID_LINE_PASSWORD:
      'The password contains a character that card servers do not accept: {character}',
    TRIAL_OR_SUBSCRIPTION: 'Choose a trial or a duration',
    INVALID_SUBSCRIPTION_MONTHS: 'Choose a duration that is offered',
    NO_TERM_OFFERED: 'Offer at least one duration',
    TERM_TWICE: 'This duration is already in the list',
    FACTOR_OR_TERMS: 'Enter either a factor or custom prices',
    PRICE_BELOW_OWN: 'You pay {least} credits for this yourself. Enter at least that.',
    INVALID_EXPIRY_DATE: 'Invalid expiry date format. Expected DD-MM-YYYY format.',
    WOULD_SHORTEN:
      'The line is valid for longer than this. Choose to shorten it, or enter a later day.',
    MONTHS_OR_DATE: 'Choose a duration or an expiry date',
    NOT_BY_STATUS: 'Use Suspend or Resume for this. The status is only a label.',
    NOTHING_SELECTED: 'Select lines or set a filter',
    TOO_MANY_LINES: 'At most {maximum} lines at a time',
    TOO_MANY_VALUES: 'At most {maximum} values',
    STATE_WITHOUT_CHOICE: 'Choose what “{text}” means in states: on, off or leave_out',
    DUPLICATE_IN_FILE: 'The same username is in row {row}',
    EMAIL_IN_FILE: 'The same email is in row {row}',
    EXTENDED_BY_MONTHS:
      'This line already exists and can only be extended by a number of months, not to a date or as a trial',
    DIFFERS_FROM_LINE:
      'The existing line has a different value here. Correct the cell or leave it empty.',
    LINE_EXISTS: 'This line already exists',
    LINE_EXISTS_OTHERWISE: 'This line already exists. Fields that differ: {differing}',
    LINE_EXISTS_ELSEWHERE: 'This line already exists on {server}',
    IMPORT_HAS_INVALID_ROWS: [
      '{count} rows are invalid. Nothing was imported.',
      '{count} row is invalid. Nothing was imported.',
    ],
    EXPIRY_TOO_LATE: 'The line would expire after 31-12-2099',
    FILE_EMPTY: 'This file is empty',
    FILE_NAME_REFUSED:
      'File names can have at most {maximum} characters and no slashes or control characters',
    FILE_TYPE_REFUSED:
      'Only PNG, JPEG, WebP and GIF images, PDF files and UTF-8 text files can be attached',
    FILE_IS_MARKUP: 'HTML, SVG and XML cannot be attached. Attach an image or a PDF instead.',
    FILE_DAMAGED: 'This file is damaged or incomplete',
    ONE_FILE_AT_A_TIME: 'Send only one file per request, and no other fields',
    ABOVE_ONLY_FIELD: 'Only an administrator or an account above the owner can set this field',
    ADMIN_ONLY_FIELD: 'Only an administrator can set this field',
    ASSIGNEE_NOT_ADMIN: 'A ticket can only be assigned to an administrator',
    PERMISSION_NOT_OWN: 'You can only grant or remove permissions that you have yourself',
    ADMIN_KEEPS_PERMISSIONS: 'Administrators keep all permissions',
    MISSING_REQUIRED_FIELDS: 'Missing required fields: {fields}',
    CCCAM_PORT_RANGE: 'CCcam port must be between 1 and 65535',
    PORT_RANGE: 'Port must be between 1 and 65535',
    SERVER_NAME_EMPTY: 'Server name cannot be empty',
    SERVER_REQUIRED: 'Choose a server',
    INVALID_WEBHOOK_URL: 'Enter a public address that begins with https://',
    PUSH_SERVICE_UNREACHABLE: 'The panel cannot reach the push service of this browser',
    INVALID_HOST: 'Enter a host name or an IP address',
    INVALID_DES_KEY: 'Enter 28 hexadecimal digits',
    INVALID_CAID: 'Enter 4 hexadecimal digits',
    INVALID_PROVID: 'Enter 6 hexadecimal digits',
    PORT_TWICE: 'Each port can be entered only once',
    IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used with another request',
    INVALID_CODE_TEXT: 'Use at least 4 letters or digits; dashes, dots and underscores are allowed',
    SEVERAL_CODES_ARE_MADE:
      'To create several codes, leave the code empty: the panel generates them',
    FEWER_THAN_USED: 'Cannot be less than the uses so far: {used}',
    INVALID_EXPIRY: 'Enter a date as DD-MM-YYYY, or a date and time in ISO 8601',
    EXPIRES_IN_PAST: 'This time is in the past. Choose a later one.',
    INVALID_KEY_EXPIRY: 'The expiry date must be in the future and at most {years} years away',
    INVALID_CURSOR: 'The page cursor is not valid',
  },
  428: { IDEMPOTENCY_KEY_REQUIRED: 'An Idempotency-Key header is required' },
  429: {
    TOO_MANY_ATTEMPTS: 'Too many attempts. Please try again later.',
    TOO_MANY_CHANGES:
      'Daily limit reached. An account and those below it can make {limit} changes free of charge in 24 hours.',
    TOO_MANY_STREAMS: 'Live updates are open in too many windows. Close some of them.',
    TOO_MANY_CALLS: 'Too many requests at the same time. Please wait a moment and try again.',
  },
  431: { HEADERS_TOO_LARGE: 'The headers of the request are too large' },
  500: { INTERNAL_ERROR: 'Something went wrong. Please try again.' },
  // The panel or a service is busy or away: the same request may succeed later.
  503: {
    BUSY_WITH_SIGN_INS: 'Too many people are signing in. Please try again in a moment.',
    DATABASE_UNAVAILABLE:
      'Could not retrieve user data. Please check your connection and try again.',
    FAILED_TO_LOAD_USER_DATA: 'Failed to load user data',
    CREDITS_NOT_VERIFIED: 'Could not verify user credits. Please contact support.',
    DISK_FULL: 'The database’s disk is full. Nothing can be changed until there is space again.',
    CARD_PAYMENTS_UNAVAILABLE:
      'The payment service is not responding. Please try again, or pay by bank transfer.',
    TICKET_NOT_CREATED: 'Failed to create ticket: {reason}',
    CREDITS_NOT_DEDUCTED: 'Failed to deduct credits. Please try again.',
  },
} as const satisfies Record<
  number,
  Record<string, string | readonly [text: string, ofOne: string]>
>;

type Sentences = typeof sentences;
export type ErrorCode = { [Status in keyof Sentences]: keyof Sentences[Status] }[keyof Sentences];

type OfCode = readonly [status: number, text: string, ofOne?: string];

function byCode(): Readonly<Record<ErrorCode, OfCode>> {
  const rows = Object.entries(sentences).flatMap(([status, ofStatus]) =>
    Object.entries(ofStatus).map(([code, texts]) => [code, [Number(status), ...[texts].flat()]]),
  );
  return Object.fromEntries(rows);
}

/** Status and sentences of each code. A bundle that names no error drops it. */
export const errors = /* @__PURE__ */ byCode();

export type ErrorData = Record<string, unknown>;

/** The JSON body of every refused request. `fields` appears on 422 only. */
export interface ErrorBody {
  code: ErrorCode;
  message: string;
  data: ErrorData;
  fields?: Record<string, string>;
}

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(errors, text);
}

export function errorStatus(code: ErrorCode): number {
  return errors[code][0];
}

/** The English sentence for `code`, with its `{placeholders}` filled from `data`. */
export function errorText(code: ErrorCode, data: ErrorData = {}): string {
  const [, text, ofOne = text] = errors[code];
  const sentence = data.count === 1 ? ofOne : text;
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(data[name] ?? ''));
}

/** The units of daily limits, for DAILY_LIMIT_REACHED. */
export const dailyUnits = ['jobs', 'rows', 'orders', 'accounts', 'MB'] as const;
