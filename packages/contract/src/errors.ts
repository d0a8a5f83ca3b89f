/**
 * Every error of the API: HTTP status and exact English sentence. `{name}` in a sentence is filled from the error's
 * `data`; if that value is 1, a second sentence is used if there is one. The web app translates by code and falls
 * back to the English text that the server sends.
 */
export const errors = {
  // 400 to 404
  NOT_JSON: [400, 'The request body is not valid JSON'],
  REQUEST_MALFORMED: [400, 'The request is malformed or longer than declared'],
  NOT_MULTIPART: [400, 'Send the file as multipart/form-data'],
  UPLOAD_BROKEN: [400, 'The file was not uploaded completely. Please try again.'],
  INVALID_SIGNATURE: [400, 'The signature of this event is not valid'],
  NO_AUTHENTICATED_USER: [401, 'No authenticated user found'],
  LOGGED_OUT_REPLY: [401, 'You must be logged in to add a reply'],
  INVALID_API_KEY: [401, 'The API key is unknown, revoked or expired'],
  USER_NOT_AUTHENTICATED: [401, 'User not authenticated'],
  INVALID_CREDENTIALS: [401, 'Invalid email or password'],
  TWO_FACTOR_REFUSED: [401, 'The code is wrong or has already been used'],
  CHALLENGE_ENDED: [
    401,
    'This sign-in took too long, or too many wrong codes were entered. Sign in again.',
  ],
  FORBIDDEN: [403, 'You do not have permission to do this'],
  ADMIN_ONLY: [
    403,
    'You do not have permission to access this page. This page is only accessible to administrators.',
  ],
  ONLY_ADMINS_CREATE_MESSAGES: [403, 'Only admins can create messages'],
  REPLY_FORBIDDEN: [403, 'You do not have permission to reply to this ticket'],
  SIGN_UP_PASSWORD_NEEDED: [403, 'Enter the password that was chosen at sign-up'],
  SESSION_REQUIRED: [403, 'This is not possible with an API key. Sign in instead.'],
  BACKUP_KEY_ONLY: [403, 'A backup key can only download backups and verify the ledger'],
  BACKUP_KEY_NEEDED: [403, 'Sign in or use a backup key. Other API keys cannot download backups.'],
  FOREIGN_ORIGIN: [403, 'This request came from another site'],
  SUSPENDED_FROM_ABOVE: [
    403,
    'This line was suspended by an administrator or an account above yours. Only they can resume it.',
  ],
  BANNED_FROM_ABOVE: [
    403,
    'This account was banned by an administrator or an account above yours. Only they can unban it.',
  ],
  SIGN_UP_CLOSED: [403, 'Sign-up is closed'],
  NOT_FOUND: [404, 'Not found'],
  USER_NOT_FOUND: [404, 'User not found'],
  LINE_NOT_FOUND: [404, 'User not found'],
  SERVER_NOT_FOUND: [404, 'Server not found'],
  AWAITED_NOT_FOUND: [404, 'No agent is awaited here. Make a new command.'],
  JOB_NOT_FOUND: [404, 'Job not found'],
  GROUP_NOT_FOUND: [404, 'Group not found'],
  TRANSFER_NOT_FOUND: [404, 'Transfer not found'],
  REDEEM_CODE_NOT_FOUND: [404, 'Code not found'],
  SESSION_NOT_FOUND: [404, 'Session not found'],
  API_KEY_NOT_FOUND: [404, 'API key not found'],
  PACKAGE_NOT_FOUND: [404, 'Package not found'],
  TOP_UP_NOT_FOUND: [404, 'Top-up not found'],
  CONTACT_NOT_FOUND: [404, 'Message not found'],
  ARTICLE_NOT_FOUND: [404, 'Article not found'],
  MESSAGE_NOT_FOUND: [404, 'Message not found'],
  NOTIFICATION_NOT_FOUND: [404, 'Notification not found'],
  TICKET_NOT_FOUND: [404, 'Ticket not found'],
  ATTACHMENT_NOT_FOUND: [
    404,
    'Attachment not found. Attachments that are not sent are deleted after a day.',
  ],
  CANNED_REPLY_NOT_FOUND: [404, 'Canned reply not found'],

  OWN_GROUP: [403, 'You cannot change your own group'],

  REQUEST_TIMEOUT: [408, 'The request timed out before it was complete'],
  HEADERS_TOO_LARGE: [431, 'The headers of the request are too large'],

  // 409: conflicts with stored data
  USERNAME_EXISTS: [409, 'Username already exists. Please choose a different username.'],
  EMAIL_EXISTS: [409, 'Email already exists'],
  GROUP_NAME_EXISTS: [409, 'A group with this name already exists'],
  GROUP_HAS_USERS: [409, 'Cannot delete group with active users'],
  GROUP_IS_FIXED: [409, 'The three fixed groups cannot be deleted'],
  LAST_ADMIN: [409, 'There must be at least one administrator'],
  ORPHAN_GONE: [
    409,
    'This username is no longer on the server, or the panel already knows it: as a line, or as one being removed',
  ],
  ORPHAN_NAME_UNFIT: [
    409,
    'This username does not meet the panel’s rules for usernames, so it can only be removed',
  ],
  ORPHAN_KEPT: [
    409,
    'This account may be your own or another panel’s, so the panel does not remove it. Remove it in OSCam.',
  ],
  ORPHAN_SERVER_AWAY: [
    409,
    'The card server is not responding. Nothing was changed. Try again later.',
  ],
  ORPHAN_PASSWORD_UNKNOWN: [409, 'The card server does not report the password. Enter it.'],
  ORPHAN_EXPIRY_UNKNOWN: [409, 'The card server does not report an expiry date. Enter one.'],
  NO_ACTIVE_SERVERS: [409, 'No active servers available'],
  NO_ACTIVE_CCCAM_SERVERS: [409, 'No active CCcam servers available'],
  NO_SERVER_TAKES_LINES: [409, 'No active server accepts new lines'],
  INSUFFICIENT_CREDITS: [409, 'Insufficient credits. Required: {required}, Available: {available}'],
  NOT_FROM_ABOVE: [
    409,
    'You can take back at most {most} credits. The account keeps what it bought or redeemed.',
  ],
  PAYER_MISSING: [409, 'Failed to deduct credits - user ID is missing'],
  TRIAL_LIMIT_REACHED: [
    409,
    'Trial limit reached. An account can have at most {limit} trials at the same time.',
  ],
  TRIAL_DAILY_LIMIT_REACHED: [
    409,
    'Trial limit reached. An account and those below it can create at most {limit} trials in 24 hours.',
  ],
  SERVER_HAS_LINES: [
    409,
    'This server still has {count} lines. Move them first.',
    'This server still has {count} line. Move it first.',
  ],
  JOB_HAS_ENDED: [409, 'The job has already ended'],
  CANNOT_UNDO: [409, 'This job cannot be undone'],
  LINE_NOT_UNDOABLE: [
    409,
    'Only a line that never was on its server can be undone, by the account that paid for it',
  ],
  UNDO_LIMIT_REACHED: [
    409,
    'Undo limit reached. An account and those below it can undo at most {limit} delivered lines in 24 hours.',
  ],
  NOTHING_TO_DO: [409, 'None of the lines can be changed'],
  ALREADY_SO: [409, 'Nothing to change'],
  LEFT_OUT_EXPIRED: [409, 'The line has expired'],
  LEFT_OUT_SUSPENDED: [409, 'The line is suspended'],
  LEFT_OUT_TRIAL: [409, 'The line is a trial'],
  LINE_CHANGED_SINCE: [409, 'The line has been changed since then'],
  UNDO_WOULD_EXPIRE: [409, 'Undoing would leave the line expired, so its renewal is kept'],
  ACCOUNT_BANNED: [409, 'The account is banned. Unban it first.'],
  NO_MAIL_SERVER: [409, 'This panel does not send email. Ask an administrator for a link.'],
  ALREADY_REFUNDED: [409, 'This transfer has already been refunded'],
  SERVER_HAS_DELETIONS: [
    409,
    '{count} usernames have not been removed from this server yet. They would keep working there.',
    '{count} username has not been removed from this server yet. It would keep working there.',
  ],
  INVALID_OR_EXPIRED_CODE: [409, 'Invalid or expired code'],
  CODE_ALREADY_REDEEMED: [409, 'Code already redeemed by this user'],
  TOO_MANY_API_KEYS: [409, 'At most {limit} API keys per account. Revoke one first.'],
  CONTACT_ANSWERED: [409, 'This message already has a reply'],
  CODE_EXISTS: [409, 'This code already exists'],
  TWO_FACTOR_IS_ON: [409, 'Two-factor sign-in is already on'],
  TWO_FACTOR_IS_OFF: [409, 'Two-factor sign-in is off'],
  TOO_MANY_PACKAGES: [409, 'At most {maximum} packages'],
  TOO_MANY_ARTICLES: [409, 'At most {maximum} articles, translations included'],
  TRANSLATION_EXISTS: [409, 'This article already exists in this language'],
  TOO_MANY_TOP_UPS: [409, 'At most {maximum} top-ups can be pending at the same time'],
  TOP_UP_DECIDED: [409, 'This top-up has already been approved, declined or withdrawn'],
  NO_BANK_DETAILS: [
    409,
    'Bank transfers are not set up yet. An administrator has to enter the bank details first.',
  ],
  CARDS_NOT_SET_UP: [409, 'Card payments are not set up on this panel'],
  CARD_PAYMENT_PROCESSING: [409, 'The card payment is already being processed'],
  CARD_PAYMENT_REFUSED: [
    409,
    'The payment service declined this payment. Please pay by bank transfer.',
  ],
  ATTACHMENT_IN_USE: [409, 'This file is already attached'],
  ATTACHMENT_QUOTA_USED: [
    409,
    'Not enough space for this file: an account can store at most {maximum_mb} MB of attachments, and {used_mb} MB are used',
  ],
  CANNED_REPLY_EXISTS: [409, 'A canned reply with this title already exists'],
  TOO_MANY_CANNED_REPLIES: [409, 'At most {maximum} canned replies'],
  PANEL_ADDRESS_INSECURE: [
    409,
    'The command is run as root, so it must not travel over plain http. Open the panel at an https address, or set PUBLIC_URL.',
  ],
  AGENT_KEY_USED: [
    409,
    'This key was already used. If that was not you, make a new key, and do not add what called.',
  ],
  AGENT_KEY_ENDED: [409, 'This key has run out. Make a new key on the page Add server.'],
  AGENT_KEY_UNKNOWN: [
    409,
    'This panel does not know the key. Copy the command from the page Add server again.',
  ],
  AWAITED_ADDED: [409, 'The server of this agent was already added'],
  AGENT_NOT_CALLED: [409, 'The agent has not called yet'],
  DAY_NOT_CONFIRMED: [
    409,
    'The card server did not take the date. Test it, and look at its date again.',
  ],
  REQUEST_IN_PROGRESS: [409, 'The first request with this Idempotency-Key is still running'],

  FILE_TOO_LARGE: [413, 'The file is too large: at most {maximum_mb} MB'],
  PAYLOAD_TOO_LARGE: [413, 'The request is too large'],

  // 422: a field is invalid or missing
  SERVER_CLOSED: [422, 'This server is closed to new lines'],
  SERVER_FULL: [422, 'Not enough room on this server. Places left: {left}.'],
  VALIDATION_FAILED: [422, 'Some fields are wrong or missing'],
  BODY_NOT_OBJECT: [422, 'The request body must be a JSON object'],
  REQUIRED: [422, 'This field is required'],
  INVALID_VALUE: [422, 'Invalid value'],
  NOT_A_WHOLE_NUMBER: [422, 'Enter a whole number'],
  NUMBER_TOO_SMALL: [422, 'Enter {minimum} or more'],
  NUMBER_TOO_LARGE: [422, 'Enter {maximum} or less'],
  HIDDEN_LETTERS: [
    422,
    'Invisible characters and characters that reverse the text are not allowed here. Type the text again.',
  ],
  UNKNOWN_FIELD: [422, 'Unknown field'],
  TOO_DEEP: [422, 'The request is nested too deeply: at most {maximum} levels'],
  TOO_LONG: [422, 'At most {maximum} characters'],
  TOO_MANY_BYTES: [
    422,
    'Too long for card servers: at most {maximum} bytes (accented letters count as two)',
  ],
  REPLY_EMPTY: [422, 'Write something or attach a file'],
  RECIPIENT_NEEDED: [422, 'Choose everyone, one account or one server as the recipient'],
  ENDS_BEFORE_IT_BEGINS: [422, 'The end must be after the start'],
  INVALID_EMAIL: [422, 'Enter a valid email address'],
  PASSWORD_TOO_SHORT: [422, 'Password must be at least 8 characters'],
  PASSWORD_TOO_COMMON: [422, 'This password is too common. Choose another one.'],
  WRONG_CURRENT_PASSWORD: [422, 'The current password is wrong'],
  SIX_DIGITS: [422, 'Enter the 6 digits that the app shows'],
  WRONG_TWO_FACTOR_CODE: [422, 'The code is wrong or has already been used'],
  COULD_NOT_CHANGE_EMAIL: [422, 'Could not change the email address'],
  EMAIL_IS_YOURS: [422, 'The account already has this address'],
  INVALID_CONFIRMATION: [422, 'This confirmation link is invalid or has expired'],
  WRONG_SIGN_UP_PASSWORD: [422, 'This is not the password that was chosen at sign-up'],
  INVALID_RESET_LINK: [422, 'This password reset link is invalid or has expired'],
  ACCOUNT_CIRCLE: [422, 'An account cannot be moved below itself or below one of its own accounts'],
  COULD_NOT_CREATE_ACCOUNT: [422, 'Could not create the account'],
  INVALID_USER_ID: [422, 'Invalid user ID'],
  INVALID_SERVER_ID: [422, 'Invalid server ID'],
  CREDITS_NOT_POSITIVE: [422, 'Credits must be greater than 0'],
  CREDITS_NEGATIVE: [422, 'Credits cannot be negative'],
  NOT_REFUNDABLE: [422, 'Only a sale or a renewal can be refunded'],
  USERNAME_AND_PASSWORD_REQUIRED: [422, 'Username and password are required'],
  USERNAME_REQUIRED: [422, 'Username is required'],
  NOTHING_TO_UPDATE: [422, 'At least one field to update (password or expiry date) is required'],
  INVALID_LINE_USERNAME: [
    422,
    'The username contains a character that card servers do not accept: {character}',
  ],
  NAME_TOO_LONG_FOR_CCCAM: [
    422,
    'A CCcam client sends only the first 20 bytes of a username. Choose a shorter one.',
  ],
  NAME_SHARES_FIRST_20: [
    422,
    'Another username on this card server has the same first 20 bytes, and a CCcam client sends only those. Choose a different one.',
  ],
  NAMES_NOT_FOR_CCCAM: [
    422,
    '{count} usernames cannot be used on a CCcam server, because CCcam clients send only the first 20 bytes: {names}',
    '{count} username cannot be used on a CCcam server, because CCcam clients send only the first 20 bytes: {names}',
  ],
  INVALID_LINE_PASSWORD: [
    422,
    'The password contains a character that card servers do not accept: {character}',
  ],
  DAILY_LIMIT_REACHED: [
    409,
    'Daily limit reached. The limit for an account and those below it is {limit} {unit} in 24 hours.',
  ],
  TRIAL_OF_NAME: [409, 'This username had a trial on this server in the last {days} days'],
  TRIAL_OR_SUBSCRIPTION: [422, 'Choose a trial or a subscription duration'],
  INVALID_SUBSCRIPTION_MONTHS: [422, 'Subscription months must be 1, 3, 6, 12 or 24'],
  INVALID_EXPIRY_DATE: [422, 'Invalid expiry date format. Expected DD-MM-YYYY format.'],
  WOULD_SHORTEN: [
    422,
    'The line is valid for longer than this. Choose to shorten it, or enter a later day.',
  ],
  MONTHS_OR_DATE: [422, 'Choose a subscription duration or an expiry date'],
  NOT_BY_STATUS: [422, 'Use Suspend or Resume for this. The status is only a label.'],
  NOTHING_SELECTED: [422, 'Select lines or set a filter'],
  TOO_MANY_LINES: [422, 'At most {maximum} lines at a time'],
  TOO_MANY_VALUES: [422, 'At most {maximum} values'],
  STATE_WITHOUT_CHOICE: [422, 'Choose what "{text}" means in states: on, off or leave_out'],
  DUPLICATE_IN_FILE: [422, 'The same username is in row {row}'],
  EMAIL_IN_FILE: [422, 'The same email is in row {row}'],
  EXTENDED_BY_MONTHS: [
    422,
    'This line already exists and can only be extended by months, without a date or a trial',
  ],
  DIFFERS_FROM_LINE: [
    422,
    'The existing line has a different value here. Correct the cell or leave it empty.',
  ],
  LINE_EXISTS: [422, 'This line already exists'],
  LINE_EXISTS_OTHERWISE: [422, 'This line already exists. Fields that differ: {differing}'],
  LINE_EXISTS_ELSEWHERE: [422, 'This line already exists on {server}'],
  IMPORT_HAS_INVALID_ROWS: [
    422,
    '{count} rows are invalid. Nothing was imported.',
    '{count} row is invalid. Nothing was imported.',
  ],
  EXPIRY_TOO_LATE: [422, 'The line would expire after 31-12-2099'],
  FILE_EMPTY: [422, 'This file is empty'],
  FILE_NAME_REFUSED: [
    422,
    'File names can have at most {maximum} characters and no slashes or control characters',
  ],
  FILE_TYPE_REFUSED: [
    422,
    'Only PNG, JPEG, WebP and GIF images, PDF files and UTF-8 text files can be attached',
  ],
  FILE_IS_MARKUP: [422, 'HTML, SVG and XML cannot be attached. Attach an image or a PDF instead.'],
  FILE_DAMAGED: [422, 'This file is damaged or incomplete'],
  ONE_FILE_AT_A_TIME: [422, 'Send one file at a time and nothing else'],
  ABOVE_ONLY_FIELD: [422, 'Only an administrator or an account above the owner can set this field'],
  ADMIN_ONLY_FIELD: [422, 'Only an administrator can set this field'],
  ASSIGNEE_NOT_ADMIN: [422, 'A ticket can only be assigned to an administrator'],
  PERMISSION_NOT_OWN: [422, 'You can only grant or remove permissions that you have yourself'],
  ADMIN_KEEPS_PERMISSIONS: [422, 'Administrators keep all permissions'],
  MISSING_REQUIRED_FIELDS: [422, 'Missing required fields: {fields}'],
  CCCAM_PORT_RANGE: [422, 'CCcam port must be between 1 and 65535'],
  PORT_RANGE: [422, 'Port must be between 1 and 65535'],
  SERVER_NAME_EMPTY: [422, 'Server name cannot be empty'],
  SERVER_REQUIRED: [422, 'Choose a server'],
  INVALID_HOST: [422, 'Enter a host name or an IP address'],
  INVALID_DES_KEY: [422, 'Enter 28 hexadecimal digits'],
  INVALID_CAID: [422, 'Enter 4 hexadecimal digits'],
  INVALID_PROVID: [422, 'Enter 6 hexadecimal digits'],
  PORT_TWICE: [422, 'Each port can be entered only once'],
  IDEMPOTENCY_KEY_REUSED: [422, 'This Idempotency-Key was used with another request'],
  INVALID_CODE_TEXT: [
    422,
    'Use at least 4 letters or digits; dashes, dots and underscores are allowed',
  ],
  SEVERAL_CODES_ARE_MADE: [
    422,
    'To create several codes, leave the code empty: the panel generates them',
  ],
  FEWER_THAN_USED: [422, 'Cannot be less than the uses so far: {used}'],
  INVALID_EXPIRY: [422, 'Enter a date as DD-MM-YYYY, or a date and time in ISO 8601'],
  EXPIRES_IN_PAST: [422, 'This time is in the past. Choose a later one.'],
  INVALID_KEY_EXPIRY: [422, 'The expiry date must be in the future and at most {years} years away'],
  INVALID_CURSOR: [422, 'The page cursor is not valid'],

  IDEMPOTENCY_KEY_REQUIRED: [428, 'An Idempotency-Key header is required'],
  TOO_MANY_ATTEMPTS: [429, 'Too many attempts. Please try again later.'],
  TOO_MANY_CHANGES: [
    429,
    'Daily limit reached. An account and those below it can make {limit} changes free of charge in 24 hours.',
  ],
  TOO_MANY_STREAMS: [429, 'Live updates are open in too many windows. Close some of them.'],
  TOO_MANY_CALLS: [429, 'Too many requests at the same time. Please wait a moment and try again.'],
  INTERNAL_ERROR: [500, 'Something went wrong. Please try again.'],

  // 503: try again later
  BUSY_WITH_SIGN_INS: [503, 'Too many people are signing in. Please try again in a moment.'],
  DATABASE_UNAVAILABLE: [
    503,
    'Could not retrieve user data. Please check your connection and try again.',
  ],
  FAILED_TO_LOAD_USER_DATA: [503, 'Failed to load user data'],
  CREDITS_NOT_VERIFIED: [503, 'Could not verify user credits. Please contact support.'],
  DISK_FULL: [
    503,
    'The disk of the database is full. Nothing can be changed until there is space again.',
  ],
  CARD_PAYMENTS_UNAVAILABLE: [
    503,
    'The payment service is not responding. Please try again, or pay by bank transfer.',
  ],
  TICKET_NOT_CREATED: [503, 'Failed to create ticket: {reason}'],
  CREDITS_NOT_DEDUCTED: [503, 'Failed to deduct credits. Please try again.'],
} as const satisfies Record<string, readonly [status: number, text: string, ofOne?: string]>;

export type ErrorCode = keyof typeof errors;
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
  const [, text, ofOne = text]: readonly [number, string, string?] = errors[code];
  const sentence = data.count === 1 ? ofOne : text;
  return sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(data[name] ?? ''));
}

/** Things that a daily limit counts, as `unit` of DAILY_LIMIT_REACHED. */
export const dailyUnits = ['jobs', 'rows', 'orders', 'accounts', 'MB'] as const;
