import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Of the form of what is sealed. Which key is never in question: there is one at a time. */
const FORM = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** One key a purpose, all from SECRET_KEY. */
export interface Secrets {
  /** Encrypts `text` for the row `rowId` alone: copied to another row it does not open. */
  seal(text: string, rowId: string): string;
  /** Throws where the text was sealed with another key or for another row. */
  open(sealed: string, rowId: string): string;
  /** Signs session cookies. */
  sessionKey: string;
  /** Vouches for a batch of transfers: who has the database alone cannot make it. */
  sealLedger(content: Uint8Array): string;
}

export function createSecrets(secretKey: string): Secrets {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secretKey, 'linekeeper', purpose, 32));
  const sealingKey = derive('seal');
  const ledgerKey = derive('ledger');
  return {
    seal: (text, rowId) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(rowId));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${FORM}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    open: (sealed, rowId) => {
      const [form, data] = sealed.split(':');
      if (form !== FORM || !data) throw new Error('Sealed in an unknown form');
      const bytes = Buffer.from(data, 'base64');
      // Without the length, the first bytes of a tag would do for the whole of it.
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(rowId))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
    sessionKey: derive('session').toString('base64'),
    sealLedger: (content) => createHmac('sha256', ledgerKey).update(content).digest('base64'),
  };
}

export function newSecretKey(): string {
  return randomBytes(32).toString('base64');
}
