import * as z from 'zod';
import { done, endpoint, entity, ofRecord } from '../endpoint.ts';
import { id, invalid } from '../fields/fields.ts';

export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** Maximum number of files of one reply, note or new ticket. */
export const MAX_ATTACHMENTS = 5;
/**
 * Bytes of attachments that one account may store, whether they were sent or not, so that no
 * account can fill the database.
 */
export const ATTACHMENT_QUOTA_BYTES = 100 * 1024 * 1024;
/** The quota in bytes of administrators, who reply to all accounts. */
export const ADMIN_ATTACHMENT_QUOTA_BYTES = 1024 * 1024 * 1024;
export const MAX_UPLOADS_AN_HOUR = 120;
/** Hours after which unattached files are deleted. */
export const UNATTACHED_KEPT_HOURS = 24;
/** The maximum length of a file name, as in common file systems. */
export const MAX_FILE_NAME = 255;
/** Pixels above which a picture has no preview: a browser would need hundreds of megabytes to draw it. */
const MAX_PREVIEW_PIXELS = 40_000_000;

/**
 * The media types of attachments, recognised by their content, with the extensions that are kept. A
 * file with another extension gets the first of its type.
 */
export const fileEndings = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'application/pdf': ['pdf'],
  'text/plain': ['txt', 'log', 'cfg', 'conf', 'md'],
} satisfies Record<string, [string, ...string[]]>;
export type AttachmentType = keyof typeof fileEndings;
export const attachmentTypes = Object.keys(fileEndings) as [AttachmentType, ...AttachmentType[]];

/** A file of a reply, note or ticket. Everyone who can see the entry can see the file. */
export const attachment = entity('Attachment', {
  id: z.string(),
  name: z.string(),
  /** The media type by the content, even if the name has another extension. */
  type: z.enum(attachmentTypes),
  size: z.number().int(),
  url: z.string(),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
});
export type Attachment = z.output<typeof attachment>;

/** Ids of the account's uploads that are not attached yet. */
export const attachmentIds = z
  .array(id('INVALID_VALUE'), invalid)
  .max(MAX_ATTACHMENTS, { error: 'TOO_MANY_VALUES' })
  .default([]);

export function hasPreview({ width, height }: Pick<Attachment, 'width' | 'height'>): boolean {
  return width !== null && height !== null && width * height <= MAX_PREVIEW_PIXELS;
}

const signedOutCode = 'USER_NOT_AUTHENTICATED';
const ofAttachment = { ...ofRecord('account', 'ATTACHMENT_NOT_FOUND'), signedOutCode } as const;

export const uploadAttachment = endpoint('uploadAttachment', 'POST /api/attachments', {
  summary: 'Upload a file',
  description:
    'Uploads a PNG, JPEG, WebP, GIF, PDF or plain text in UTF-8, which is recognised by its content. Name the file in a reply or a new ticket within a day; otherwise it is deleted. No `Idempotency-Key` is needed.',
  access: 'account',
  signedOutCode,
  takesFile: { maxBytes: MAX_ATTACHMENT_BYTES },
  status: 201,
  output: z.object({ attachment }),
  errors: [
    'DAILY_LIMIT_REACHED',
    'NOT_MULTIPART',
    'UPLOAD_BROKEN',
    'FILE_TOO_LARGE',
    'FILE_EMPTY',
    'FILE_NAME_REFUSED',
    'FILE_TYPE_REFUSED',
    'FILE_IS_MARKUP',
    'FILE_DAMAGED',
    'ONE_FILE_AT_A_TIME',
    'ATTACHMENT_QUOTA_USED',
    'TOO_MANY_ATTEMPTS',
  ],
});

export const getAttachment = endpoint('getAttachment', 'GET /api/attachments/{id}', {
  ...ofAttachment,
  summary: 'Download an attachment',
  description: 'Downloads the file. It is never sent for display.',
  contentType: 'application/octet-stream',
  output: z.string(),
});

export const deleteAttachment = endpoint('deleteAttachment', 'DELETE /api/attachments/{id}', {
  ...ofAttachment,
  summary: 'Delete an upload',
  description: 'Deletes one of your own files that is not attached to anything yet.',
  output: done,
  errors: ['ATTACHMENT_IN_USE'],
});
