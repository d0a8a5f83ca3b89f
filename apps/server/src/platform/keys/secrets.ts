import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Version of the format, not of the key: there is only one key at a time. */
const FORM = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export type Secrets = ReturnType<typeof createSecrets>;

/** Functions that use keys derived from SECRET_KEY, one for each purpose. */
export function createSecrets(secretKey: string) {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', secretKey, 'linekeeper', purpose, 32));
  const sealingKey = derive('seal');
  const ledgerKey = derive('ledger');
  const auditKey = derive('audit');
  const linkKey = derive('link');
  const networkKey = derive('network');
  return {
    /** Encrypts `text` bound to the row `rowId`: copied to another row it cannot be decrypted. */
    seal: (text: string, rowId: string): string => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, iv).setAAD(Buffer.from(rowId));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${FORM}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')}`;
    },
    /** Decrypts. Throws if the text was encrypted with another key or for another row. */
    open: (sealed: string, rowId: string): string => {
      const [form, data] = sealed.split(':');
      if (form !== FORM || !data) throw new Error('Sealed in an unknown form');
      const bytes = Buffer.from(data, 'base64');
      // The length of the tag is set, because otherwise a truncated tag would be accepted.
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(rowId))
        .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
    /** The key that signs session cookies. */
    sessionKey: derive('session').toString('base64'),
    /** Signs the content of an emailed link, so that its token need not be stored. */
    signLink: (content: string) =>
      createHmac('sha256', linkKey).update(content).digest('base64url'),
    /** Authenticates a batch of transfers (HMAC). Anyone with access to the database alone cannot do this. */
    sealLedger: (content: Uint8Array) =>
      createHmac('sha256', ledgerKey).update(content).digest('base64'),
    /** Authenticates a batch of audit entries (HMAC). */
    sealAudit: (content: Uint8Array) =>
      createHmac('sha256', auditKey).update(content).digest('base64'),
    /** Hashes a network of a line, so that networks can be compared without being stored. */
    hashNetwork: (network: string, lineId: string) =>
      createHmac('sha256', networkKey).update(`${lineId} ${network}`).digest().readInt32BE(),
  };
}

export function newSecretKey(): string {
  return randomBytes(32).toString('base64');
}

/** Compares two secrets in a time that does not reveal where they differ, only whether their lengths do. */
export function isSameSecret(given: string | Buffer, expected: string | Buffer): boolean {
  const [one, other] = [Buffer.from(given as string), Buffer.from(expected as string)];
  return one.length === other.length && timingSafeEqual(one, other);
}
