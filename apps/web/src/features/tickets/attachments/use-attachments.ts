import {
  type Attachment,
  deleteAttachment,
  MAX_ATTACHMENT_BYTES,
  MAX_ATTACHMENTS,
  UNATTACHED_KEPT_HOURS,
  uploadAttachment,
} from '@linekeeper/contract/tickets/attachments.ts';
import { useMutation } from '@tanstack/react-query';
import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call, newIdempotencyKey, refusalOf, unreachable } from '#platform/api/client.ts';
import { reportReachable } from '#platform/browser/connection.ts';
import { keepDraft, readDraft } from '#platform/browser/draft-store.ts';

/** A chosen file with the state of its upload: in progress, done or refused. */
export interface PendingFile {
  key: string;
  name: string;
  size: number;
  type: string;
  /** The share that has been sent, from 0 to 1. */
  progress: number;
  error: unknown;
  attachment: Attachment | null;
  /** True if a retry may succeed. */
  canRetry: boolean;
}

export interface PendingFiles {
  files: readonly PendingFile[];
  ids: string[];
  /** The reason why the message with these files cannot be sent yet. */
  blocked: string | undefined;
  /** True if more files were chosen than allowed. */
  areTooMany: boolean;
  isDraggedOver: boolean;
  add: (chosen: readonly File[]) => void;
  remove: (file: PendingFile) => void;
  retry: (file: PendingFile) => void;
  /** Forgets the files. To be called after they were sent. */
  forget: () => void;
  discard: () => void;
  /** Props of the element into which files are dropped and pasted. */
  target: {
    onDragEnter: (event: DragEvent) => void;
    onDragOver: (event: DragEvent) => void;
    onDragLeave: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
    onPaste: (event: ClipboardEvent) => void;
  };
}

/** Milliseconds for which the page remembers uploaded files: a little less than the panel keeps them. */
const KEPT_MS = (UNATTACHED_KEPT_HOURS - 1) * 3_600_000;

interface Kept {
  at: number;
  attachment: Attachment;
}

/** The files that were uploaded before the page was reloaded. */
function readKept(draftKey: string): PendingFile[] {
  const kept = (readDraft(draftKey)?.values.files ?? []) as Kept[];
  return kept
    .filter(({ at }) => Date.now() - at < KEPT_MS)
    .map(({ attachment }) => ({
      key: attachment.id,
      name: attachment.name,
      size: attachment.size,
      type: attachment.type,
      progress: 1,
      error: null,
      attachment,
      canRetry: false,
    }));
}

function keep(draftKey: string, files: readonly PendingFile[]): void {
  const before = (readDraft(draftKey)?.values.files ?? []) as Kept[];
  const arrived = files.flatMap(({ attachment }) => attachment ?? []);
  const kept = arrived.map((attachment) => ({
    at: before.find((one) => one.attachment.id === attachment.id)?.at ?? Date.now(),
    attachment,
  }));
  keepDraft(draftKey, kept.length > 0 ? { values: { files: kept } } : null);
}

/** The error for a file that the panel would refuse, found before it is uploaded. */
function refusalOfFile({ size }: File): ApiError | null {
  if (size === 0) return new ApiError({ status: 422, code: 'FILE_EMPTY', message: '' });
  if (size <= MAX_ATTACHMENT_BYTES) return null;
  const data = { maximum_mb: MAX_ATTACHMENT_BYTES / 1024 / 1024 };
  return new ApiError({ status: 413, code: 'FILE_TOO_LARGE', message: '', data });
}

/** True if another attempt may succeed: after an interrupted upload, but not after a refusal of the file. */
function mayPassAgain(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  const { status, code } = error;
  return status === 0 || status === 429 || status >= 500 || code === 'UPLOAD_BROKEN';
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/** Counts how deep the pointer is within the target, because entering a child comes before leaving its parent. */
function useDropTarget(add: (chosen: readonly File[]) => void) {
  const depth = useRef(0);
  const [isDraggedOver, setDraggedOver] = useState(false);
  const move = (event: DragEvent, change: number) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth.current = Math.max(0, depth.current + change);
    setDraggedOver(depth.current > 0);
  };
  const target: PendingFiles['target'] = {
    onDragEnter: (event) => move(event, 1),
    onDragOver: (event) => move(event, 0),
    onDragLeave: (event) => move(event, -1),
    onDrop: (event) => {
      move(event, -depth.current);
      if (hasFiles(event)) add([...event.dataTransfer.files]);
    },
    onPaste: (event) => {
      const { clipboardData } = event;
      // Text that was copied with its picture is pasted as text.
      if (clipboardData.files.length === 0 || clipboardData.types.includes('text/plain')) return;
      event.preventDefault();
      add([...clipboardData.files]);
    },
  };
  return { isDraggedOver, target };
}

/**
 * The files of a form. They are uploaded as soon as they are chosen, and kept with the form's draft in this browser.
 */
export function useAttachments(formKey: string): PendingFiles {
  const { t } = useTranslation('tickets');
  const draftKey = `${formKey}:files`;
  const [files, setFiles] = useState(() => readKept(draftKey));
  const [areTooMany, setTooMany] = useState(false);
  const running = useRef(new Map<string, { file: File; abort: AbortController }>());
  const upload = useMutation({ mutationFn: uploadFile }).mutateAsync;
  const removal = useMutation({
    mutationFn: (id: string) => call(deleteAttachment, { params: { id } }),
  });
  useEffect(() => keep(draftKey, files), [draftKey, files]);
  useEffect(() => {
    const uploads = running.current;
    return () => {
      for (const { abort } of uploads.values()) abort.abort();
    };
  }, []);

  const change = (key: string, changes: Partial<PendingFile>) =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const start = async (key: string, file: File) => {
    const refused = refusalOfFile(file);
    const abort = new AbortController();
    running.current.set(key, { file, abort });
    if (refused) return change(key, { error: refused });
    change(key, { error: null, canRetry: false, progress: 0 });
    try {
      const { signal } = abort;
      const onProgress = (progress: number) => change(key, { progress });
      const attachment = await upload({ file, signal, onProgress });
      change(key, { attachment, name: attachment.name, size: attachment.size, progress: 1 });
    } catch (error) {
      if (!abort.signal.aborted) change(key, { error, canRetry: mayPassAgain(error) });
    }
  };
  const add = (chosen: readonly File[]) => {
    const taken = chosen.slice(0, MAX_ATTACHMENTS - files.length);
    setTooMany(taken.length < chosen.length);
    const added = taken.map((file) => ({ key: newIdempotencyKey(), file }));
    const rows = added.map(({ key, file: { name, size, type } }) => {
      return { key, name, size, type, progress: 0, error: null, attachment: null, canRetry: false };
    });
    setFiles((all) => [...all, ...rows]);
    for (const { key, file } of added) void start(key, file);
  };
  const drop = ({ key, attachment }: PendingFile) => {
    running.current.get(key)?.abort.abort();
    running.current.delete(key);
    // If the request fails, a job of the panel deletes the file.
    if (attachment) removal.mutate(attachment.id);
  };
  const isArriving = files.some(({ attachment, error }) => !attachment && !error);
  const hasFailed = files.some(({ error }) => error);
  return {
    ...useDropTarget(add),
    files,
    ids: files.flatMap(({ attachment }) => attachment?.id ?? []),
    blocked: isArriving ? t('attach.arriving') : hasFailed ? t('attach.failed') : undefined,
    areTooMany,
    add,
    remove: (file) => {
      drop(file);
      setTooMany(false);
      setFiles((all) => all.filter(({ key }) => key !== file.key));
    },
    retry: ({ key }) => {
      const { file } = running.current.get(key) ?? {};
      if (file) void start(key, file);
    },
    forget: () => setFiles([]),
    discard: () => {
      for (const file of files) drop(file);
      setFiles([]);
    },
  };
}

interface Upload {
  file: File;
  signal: AbortSignal;
  /** Called with the share that has been sent, up to 1. */
  onProgress: (share: number) => void;
}

/** Uploads a file. Throws ApiError. It uses XMLHttpRequest, because `fetch` does not report progress. */
function uploadFile({ file, signal, onProgress }: Upload): Promise<Attachment> {
  const request = new XMLHttpRequest();
  const body = new FormData();
  body.append('file', file);
  signal.addEventListener('abort', () => request.abort());
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      reportReachable(true);
      const reply = readJson(request.responseText);
      if (request.status === uploadAttachment.status && reply) return resolve(reply.attachment);
      const headers = new Headers();
      for (const name of ['retry-after', 'x-request-id']) {
        headers.set(name, request.getResponseHeader(name) ?? '');
      }
      reject(refusalOf(new Response(null, { status: request.status, headers }), reply));
    };
    request.onerror = () => {
      reportReachable(false);
      reject(unreachable());
    };
    request.onabort = () => reject(signal.reason);
    request.open(uploadAttachment.method, uploadAttachment.path);
    request.setRequestHeader('accept', 'application/json');
    request.send(body);
  });
}

function readJson(text: string): { attachment: Attachment } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
