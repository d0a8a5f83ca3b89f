// @module-tag thorough
import {
  type AttachmentType,
  fileEndings,
  hasPreview,
} from '@linekeeper/contract/tickets/attachments.ts';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  countFiles,
  download,
  gifOf,
  jpegOf,
  pdf,
  pngOf,
  upload,
  webpOf,
} from '../../../testing/files/files.ts';
import {
  databases,
  startTestPanel,
  type TestAccount,
  type TestPanel,
} from '../../../testing/panel.ts';

describe.each(databases)('a file for %s', (kind) => {
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

  const samples: [string, Buffer, string, [number, number] | null][] = [
    ['image/png', pngOf(), 'screen.png', [2, 1]],
    ['image/gif', gifOf(), 'screen.gif', [1, 1]],
    ['image/jpeg', jpegOf(), 'screen.jpg', [3, 2]],
    ['image/webp', webpOf(), 'screen.webp', [5, 4]],
    ['application/pdf', pdf, 'invoice.pdf', null],
    ['text/plain', Buffer.from('\ufeffZażółć 🙂\r\n\tgęślą <b>jaźń</b>'), 'notes.txt', null],
    ['text/plain', Buffer.from('<5>syslog'), 'notes.log', null],
    ['text/plain', Buffer.from('x'), 'CCcam.cfg', null],
  ];
  test.each(samples)(
    'of %s is recognised and comes back as it was',
    async (type, content, name, size) => {
      const { status, body } = await upload(owner.client, content, name);
      expect([status, body]).toEqual([
        201,
        {
          attachment: {
            id: expect.any(String),
            url: `/api/attachments/${body.attachment.id}`,
            name,
            type,
            size: content.length,
            width: size?.[0] ?? null,
            height: size?.[1] ?? null,
          },
        },
      ]);
      const { bytes, headers } = await fetchFile(body.attachment.id);
      expect(bytes.equals(content)).toBe(true);
      expect(headers).toMatchObject({
        'content-type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
        'content-length': String(content.length),
        'content-disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    },
  );

  const zip = Buffer.from('PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1');
  const script = '<script>alert(1)</script>';
  const refused: [string, string, Buffer | string, string?][] = [
    ['no bytes', 'FILE_EMPTY', ''],
    ['SVG', 'FILE_IS_MARKUP', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.png'],
    ['SVG behind a comment', 'FILE_IS_MARKUP', ' \n<!-- x --><svg/>', 'a.txt'],
    ['XML', 'FILE_IS_MARKUP', '\ufeff<?xml version="1.0"?><svg/>'],
    ['HTML', 'FILE_IS_MARKUP', `\r\n\t<!doctype html>${script}`, 'a.jpg'],
    ['a script in HTML', 'FILE_IS_MARKUP', script],
    ['a ZIP', 'FILE_TYPE_REFUSED', 'PK\x03\x04rest of it', 'a.png'],
    ['a program', 'FILE_TYPE_REFUSED', Buffer.from('7f454c46020101000000', 'hex'), 'a.txt'],
    ['text of another encoding', 'FILE_TYPE_REFUSED', Buffer.from('fffe610062006300', 'hex')],
    ['text in Latin-1', 'FILE_TYPE_REFUSED', Buffer.from('caf\xe9 au lait and more', 'latin1')],
    ['text that is cut in a letter', 'FILE_TYPE_REFUSED', Buffer.from('6162c5', 'hex')],
    ['a terminal’s commands', 'FILE_TYPE_REFUSED', 'red: \x1b[31m'],
    ['a BMP', 'FILE_TYPE_REFUSED', Buffer.from('424d3a000000000000003600', 'hex')],
    ['a PDF that begins late', 'FILE_TYPE_REFUSED', Buffer.concat([Buffer.from('\0\0'), pdf])],
    ['a beginning of a PNG alone', 'FILE_DAMAGED', pngOf().subarray(0, 20)],
    ['a PNG without pixels', 'FILE_DAMAGED', Buffer.from(pngOf()).fill(0, 16, 20)],
    [
      'a JPEG that is a beginning with HTML',
      'FILE_DAMAGED',
      Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from(`\0\0${script}`)]),
    ],
  ];
  test.each(refused)(
    'of %s is refused with %s, and leaves nothing',
    async (_, code, content, name = 'a.txt') => {
      const { status, body } = await upload(owner.client, Buffer.from(content), name);
      expect([status, body.code, body.fields]).toEqual([422, code, { file: body.message }]);
      expect(await stored()).toEqual({ files: 0, chunks: 0 });
    },
  );

  const harmless: [string, string, Buffer][] = [
    ['a PNG that is cut', 'image/png', pngOf().subarray(0, 30)],
    [
      'a JPEG with a film behind it',
      'image/jpeg',
      Buffer.concat([jpegOf(), Buffer.alloc(3000, 7)]),
    ],
    ['a PNG with a ZIP behind it', 'image/png', Buffer.concat([pngOf(), zip])],
    ['a PNG with a PDF in it', 'image/png', pngOf(pdf)],
    ['a GIF with a script in it', 'image/gif', gifOf(script)],
    ['a GIF that is a script', 'image/gif', Buffer.from(`GIF89a/*${script}*/=1;alert(1)`)],
    ['a PDF that is cut', 'application/pdf', pdf.subarray(0, -7)],
    ['a PDF with HTML behind it', 'application/pdf', Buffer.concat([pdf, Buffer.from(script)])],
    ['a text with a PDF in it', 'text/plain', Buffer.from(`A text\n${pdf}`)],
  ];
  test.each(harmless)(
    'of %s is served as %s, to be kept and not shown',
    async (_, type, content) => {
      const { body } = await upload(owner.client, content, 'x.html');
      expect(body.attachment).toMatchObject({
        type,
        name: `x.html.${fileEndings[type as AttachmentType][0]}`,
      });
      const { bytes, headers } = await fetchFile(body.attachment.id);
      expect(bytes.equals(content)).toBe(true);
      expect(headers).toMatchObject({
        'content-type': expect.stringContaining(type),
        'x-content-type-options': 'nosniff',
        'content-disposition': expect.stringMatching(/^attachment;/),
        'content-security-policy': expect.stringMatching(/sandbox$/),
      });
    },
  );

  test('of an image is measured without being unpacked, and shown up to 40 million pixels', async () => {
    for (const [width, isShown] of [
      [40_000, true],
      [40_001, false],
      [2 ** 31 - 1, false],
    ] as const) {
      const image = Buffer.from(pngOf());
      image.writeUInt32BE(width, 16);
      image.writeUInt32BE(1000, 20);
      const { attachment } = (await upload(owner.client, image, 'a.png')).body;
      expect(attachment).toMatchObject({ width, height: 1000 });
      expect(hasPreview(attachment)).toBe(isShown);
    }
  });
});
