// @module-tag thorough
import { createConnection } from 'node:net';
import { MAX_ATTACHMENT_BYTES } from '@linekeeper/contract/tickets/attachments.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import {
  countFiles,
  download,
  filePart,
  gifOf,
  multipart,
  pdf,
  pngOf,
  sendParts,
  upload,
} from '../../../testing/files/files.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';
import { sendRaw } from '../../../testing/wire/raw.ts';

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

describe.each(databases)('an upload to %s', (kind) => {
  let panel: TestPanel;
  let owner: TestAccount;
  beforeAll(async () => {
    panel = await startTestPanel(kind);
    owner = await panel.reseller();
  });
  afterEach(async () => {
    await panel.services.db.deleteFrom('attachments').execute();
    await panel.services.db.deleteFrom('rate_limits').execute();
  });

  const fetchFile = (id: string) => download(owner.client, id);
  const stored = () => countFiles(panel);

  test('is kept in chunks of 256 KiB, and comes back whole', async () => {
    for (const bytes of [256 * KILOBYTE, 256 * KILOBYTE + 1, 3 * MEGABYTE - 7]) {
      const more = bytes - pngOf(Buffer.from('x')).length + 1;
      const content = pngOf(Buffer.alloc(more, 'linekeeper'));
      expect(content.length).toBe(bytes);
      const { body } = await upload(owner.client, content, 'large.png');
      const { rows } = await sql<{ length: number }>`
        select octet_length(bytes) as length from attachment_chunks
        where attachment_id = ${body.attachment.id} order by position`.execute(panel.services.db);
      const lengths = rows.map(({ length }) => length);
      expect(lengths.slice(0, -1).every((length) => length === 256 * KILOBYTE)).toBe(true);
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(bytes);
      expect((await fetchFile(body.attachment.id)).bytes.equals(content)).toBe(true);
    }
  });

  test('is sent as it is, with its length, whatever the reader unpacks', async () => {
    const text = 'the same again '.repeat(1000);
    const { body } = await upload(owner.client, text, 'a.txt');
    const headers = { cookie: owner.client.cookie, 'accept-encoding': 'gzip, br, zstd' };
    const reply = await sendRaw(panel.url, { path: body.attachment.url, headers });
    expect(reply.text).toBe(text);
    expect(reply.headers['content-length']).toBe(String(text.length));
    expect(reply.headers['content-encoding']).toBeUndefined();
  });

  test.each([
    ['page.html', 'report', 'page.html.txt'],
    ['run.sh', '#!/bin/sh', 'run.sh.txt'],
    ['no ending', 'report', 'no ending.txt'],
    ['Zażółć "gęślą" 100% jaźń.TXT', 'report', 'Zażółć "gęślą" 100% jaźń.TXT'],
    ['";filename*=x; a="b\'c(1)*.txt', 'report', '";filename*=x; a="b\'c(1)*.txt'],
    ['<img src=x onerror="alert(1)">', 'report', '<img src=x onerror="alert(1)">.txt'],
    ['50%25%2.txt', 'report', '50%25%2.txt'],
    ['画面.exe', gifOf(), '画面.exe.gif'],
    [`${'ż'.repeat(255)}`, pdf, `${'ż'.repeat(251)}.pdf`],
    [`${'ż'.repeat(250)}📄`, pdf, `${'ż'.repeat(250)}.pdf`],
  ])('called %s is named for what it is', async (given, content, expected) => {
    const escaped = given.replaceAll('"', '%22');
    const { status, body } = await upload(owner.client, Buffer.from(content), escaped);
    expect([status, body.attachment?.name]).toEqual([201, expected]);
    const { headers } = await fetchFile(body.attachment.id);
    const said = String(headers['content-disposition']);
    expect(decodeURIComponent(said.split("UTF-8''")[1] ?? '')).toBe(expected);
    expect(said).toMatch(/^attachment; filename="[\x20-\x7e]+"; filename\*=UTF-8''[\w.!~*'()%-]+$/);
  });

  test.each([
    ['folders', '../../etc/passwd.txt'],
    ['folders of Windows', '..\\\\..\\\\a.txt'],
    ['an absolute path', '/etc/passwd'],
    ['two dots', '..'],
    ['nothing', ''],
    ['spaces', '  '],
    ['a NUL', 'a\0.txt'],
    ['a bell', 'a\x07.txt'],
    ['a tab', 'a\tb.txt'],
    ['letters that are turned round', 'a\u202etxt.exe'],
    ['a line separator', 'a\u2028b.txt'],
    ['300 characters', `${'a'.repeat(296)}.txt`],
  ])('under a name with %s is refused with the reason', async (_, name) => {
    const { status, body } = await upload(owner.client, 'text', name);
    expect(status).toBe(422);
    expect(body.fields).toEqual({
      file: 'File names can have at most 255 characters and no slashes or control characters',
    });
    expect(await stored()).toEqual({ files: 0, chunks: 0 });
  });

  test('with line breaks in its name adds no header', async () => {
    const said = 'name="file"; filename="a.txt\r\nX-Injected: 1"';
    const first = await sendParts(owner.client, [{ said, content: Buffer.from('text') }]);
    expect(JSON.parse(first.text).attachment.name).toBe('a.txt');
    // Browsers write such names in this way.
    for (const name of ['a%0D%0AX-Injected: 1.txt', 'a%0Ab.txt', 'a%0Db.txt']) {
      const { status, body } = await upload(owner.client, 'text', name);
      expect([status, body.code]).toEqual([422, 'FILE_NAME_REFUSED']);
    }
  });

  test('has the name that browsers and other programs mean', async () => {
    const form = new FormData();
    const name = 'a "quoted" %41 name.txt';
    form.set('file', new File(['text'], name));
    const { client } = owner;
    const response = await fetch(`${panel.url}/api/attachments`, {
      method: 'POST',
      headers: { cookie: client.cookie },
      body: form,
    });
    expect(await response.json()).toMatchObject({ attachment: { name } });
    // curl writes such names in this way.
    const escaped = await upload(client, 'text', 'a \\"quoted\\" name.txt');
    expect(escaped.body.attachment.name).toBe('a "quoted" name.txt');
  });

  const file = filePart('text', 'a.txt');
  const field = { said: 'name="title"', content: Buffer.from('x') };
  test.each([
    ['two files', [file, file], 'ONE_FILE_AT_A_TIME'],
    ['a field after the file', [file, field], 'ONE_FILE_AT_A_TIME'],
    ['a field before the file', [field, file], 'ONE_FILE_AT_A_TIME'],
    ['a field in place of the file', [{ ...field, said: 'name="file"' }], 'REQUIRED'],
    ['a file of another name', [{ ...file, said: 'name="upload"; filename="a"' }], 'REQUIRED'],
    [
      'a part named as what every object has',
      [{ ...field, said: 'name="constructor"' }],
      'REQUIRED',
    ],
    [
      'a file without a file name',
      [{ ...file, said: 'name="file"\r\ncontent-type: application/octet-stream' }],
      'FILE_NAME_REFUSED',
    ],
    ['a part without a name', [{ ...file, said: 'filename="a.txt"' }], 'REQUIRED'],
    ['no part', [], null],
  ])('with %s is refused, and leaves nothing', async (_, parts, code) => {
    const { status, text } = await sendParts(owner.client, parts);
    expect([400, 422], text).toContain(status);
    if (code) expect(JSON.parse(text).data.field_codes).toEqual({ file: code });
    expect(await stored()).toEqual({ files: 0, chunks: 0 });
  });

  test.each([
    ['JSON', 'application/json', '{}'],
    ['a form', 'application/x-www-form-urlencoded', 'file=x'],
    ['another multipart', 'multipart/mixed; boundary=b', '--b--'],
    ['multipart without a boundary', 'multipart/form-data', '--b--'],
    ['nothing', '', ''],
  ])('as %s is refused in words', async (_, type, body) => {
    const headers = { cookie: owner.client.cookie, ...(type ? { 'content-type': type } : {}) };
    const path = '/api/attachments';
    const reply = await sendRaw(panel.url, { method: 'POST', path, headers, body });
    expect([reply.status, JSON.parse(reply.text).message]).toEqual([
      400,
      'Send the file as multipart/form-data',
    ]);
  });

  describe('of more bytes than it may have or says', () => {
    test('is taken at 10 MB, and refused beyond with what it says and without', async () => {
      const most = pngOf(Buffer.alloc(MAX_ATTACHMENT_BYTES - pngOf(Buffer.from('x')).length + 1));
      expect(most.length).toBe(MAX_ATTACHMENT_BYTES);
      expect((await upload(owner.client, most, 'most.png')).status).toBe(201);
      await panel.services.db.deleteFrom('attachments').execute();
      const text = Buffer.alloc(MAX_ATTACHMENT_BYTES + 1, 'a');
      for (const headers of [{}, { 'transfer-encoding': 'chunked', 'content-length': '' }]) {
        const { type, body } = multipart([filePart(text, 'a.txt')]);
        const stream = new ReadableStream({
          start(controller) {
            for (let at = 0; at < body.length; at += MEGABYTE) {
              controller.enqueue(body.subarray(at, at + MEGABYTE));
            }
            controller.close();
          },
        });
        const isChunked = 'transfer-encoding' in headers;
        const reply = await fetch(`${panel.url}/api/attachments`, {
          method: 'POST',
          headers: { cookie: owner.client.cookie, 'content-type': type },
          ...(isChunked ? { body: stream, duplex: 'half' } : { body }),
        } as RequestInit);
        expect(reply.status).toBe(413);
        expect(await reply.json()).toMatchObject({
          message: 'The file is too large: at most 10 MB',
        });
      }
      expect(await stored()).toEqual({ files: 0, chunks: 0 });
    });

    test('is refused before any of it is read, if it says so', async () => {
      const { type } = multipart([]);
      const reply = await raw([
        `POST /api/attachments HTTP/1.1\r\nhost: panel\r\ncookie: ${owner.client.cookie}\r\n`,
        `content-type: ${type}\r\ncontent-length: 90000000\r\n\r\n--x`,
      ]);
      expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    });

    test('ends where it says, and what is cut off is refused', async () => {
      const { type, body } = multipart([filePart('a text of some length', 'a.txt')]);
      const said = body.length - 40;
      const head = [
        `POST /api/attachments HTTP/1.1\r\nhost: panel\r\ncookie: ${owner.client.cookie}\r\n`,
        `content-type: ${type}\r\ncontent-length: ${said}\r\n\r\n`,
      ];
      const cut = await raw([...head, body.subarray(0, said)]);
      expect(cut).toMatch(/^HTTP\/1\.1 400 /);
      expect(cut).toContain('"UPLOAD_BROKEN"');
      // The server reads the surplus bytes as a second request, which is malformed.
      expect(await raw([...head, body])).toMatch(/^HTTP\/1\.1 400 .*"REQUEST_MALFORMED"/s);
      await eventually(async () => expect(await stored()).toEqual({ files: 0, chunks: 0 }));
    });

    test('leaves nothing where its sender goes away halfway', async () => {
      const content = pngOf(Buffer.alloc(2 * MEGABYTE));
      const { type, body } = multipart([filePart(content, 'a.png')]);
      const { hostname, port } = new URL(panel.url);
      const socket = createConnection(Number(port), hostname);
      socket.on('error', () => {});
      socket.write(
        `POST /api/attachments HTTP/1.1\r\nhost: panel\r\ncookie: ${owner.client.cookie}\r\n` +
          `content-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`,
      );
      socket.write(body.subarray(0, MEGABYTE));
      await eventually(async () => expect((await stored())?.chunks).toBeGreaterThan(1));
      socket.destroy();
      await eventually(async () => expect(await stored()).toEqual({ files: 0, chunks: 0 }));
    });
  });

  /** Sends pieces over one connection. Returns the received replies. */
  function raw(pieces: (string | Buffer)[]): Promise<string> {
    const { hostname, port } = new URL(panel.url);
    return new Promise((resolve, reject) => {
      const socket = createConnection(Number(port), hostname);
      let reply = '';
      socket.on('data', (chunk) => {
        reply += chunk;
        if (reply.includes('}')) socket.destroy();
      });
      socket.on('close', () => resolve(reply)).on('error', reject);
      for (const piece of pieces) socket.write(piece);
    });
  }

  test('needs an account, and comes from the panel’s own pages', async () => {
    const { status } = await upload(panel.anonymous(), 'text', 'a.txt');
    expect(status).toBe(401);
    const headers = { origin: 'https://evil.example' };
    expect((await sendParts(owner.client, [file], headers)).status).toBe(403);
    expect(await stored()).toEqual({ files: 0, chunks: 0 });
  });

  test('takes multipart nowhere else', async () => {
    const { type, body } = multipart([file]);
    const headers = { cookie: owner.client.cookie, 'content-type': type };
    for (const path of ['/api/tickets', '/api/lines', '/api/contact', '/api/auth/sign-in/email']) {
      const reply = await sendRaw(panel.url, { method: 'POST', path, headers, body });
      expect(reply.status, path).toBe(400);
    }
  });
});
