import { isReason, type Reason } from '../../shared/i18n/reasons.ts';

const sentences = {
  connect: 'Failed to connect to server: ',
  health: 'Health check failed with status: ',
  auth: 'Authentication failed with status: ',
  apiHealth: 'CCcam server API is not responding. HTTP status: ',
  apiAuth: 'API Authentication failed. HTTP status: ',
  noList: 'The card server has no list of its users. HTTP status: ',
  incomplete: 'Server configuration is incomplete. Missing fields: ',
} as const;
export type Sentence = keyof typeof sentences;

/**
 * A test's finding is stored as an English sentence. This takes it apart, so that it can be said
 * in the reader's language; null for a sentence that is not one of the panel's own.
 */
export function readServerMessage(message: string): { sentence: Sentence; detail: string } | null {
  for (const [sentence, start] of Object.entries(sentences)) {
    if (message.startsWith(start)) {
      return { sentence: sentence as Sentence, detail: message.slice(start.length) };
    }
  }
  return null;
}

export type Advice = 'port' | 'host' | 'secure' | 'api' | 'credentials' | 'settings';

const adviceOnReason: Partial<Record<Reason, Advice>> = {
  'certificate not trusted': 'secure',
  'secure connection failed': 'secure',
  'host not found or not allowed': 'host',
  'invalid response': 'api',
  'response too large': 'api',
};

/** What to look at first, given what a test found. */
export function adviceOn(message: string): Advice {
  const read = readServerMessage(message);
  if (read?.sentence === 'health' || read?.sentence === 'apiHealth') return 'api';
  if (read?.sentence === 'auth' || read?.sentence === 'apiAuth') return 'credentials';
  if (read?.sentence === 'incomplete') return 'settings';
  return (read && isReason(read.detail) && adviceOnReason[read.detail]) || 'port';
}
