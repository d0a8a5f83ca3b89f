import { type Attachment, uploadAttachment } from '@linekeeper/contract/tickets/attachments.ts';
import { refusalOf, unreachable } from '../api/client.ts';
import { reportReachable } from '../browser/connection.ts';

interface Upload {
  file: File;
  signal: AbortSignal;
  /** Called with the share that has been sent, up to 1. */
  onProgress: (share: number) => void;
}

/** Uploads a file. Throws ApiError. By an older interface than `fetch`, which tells of no progress. */
export function uploadFile({ file, signal, onProgress }: Upload): Promise<Attachment> {
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
