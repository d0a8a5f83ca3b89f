// @module-tag thorough
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  countFiles,
  download,
  gifOf,
  jpegOf,
  pdf,
  pngOf,
  upload,
  webpOf,
} from '../../../testing/files.ts';
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
  afterAll(() => panel?.stop());
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

  test('keeps of an image what lies before its end', async () => {
    for (const image of [jpegOf(), pngOf(), gifOf(), webpOf()]) {
      const phone = Buffer.concat([image, Buffer.alloc(3000, 7), Buffer.from('SEFT')]);
      const { body } = await upload(owner.client, phone, 'photo');
      expect(body.attachment.size).toBe(image.length);
      expect((await fetchFile(body.attachment.id)).bytes.equals(image)).toBe(true);
    }
  });

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
    ['a PDF within a text', 'FILE_HOLDS_ANOTHER', `A text\n${pdf}`],
    ['a PDF within an image', 'FILE_HOLDS_ANOTHER', pngOf(pdf)],
    ['an image with a ZIP behind it', 'FILE_HOLDS_ANOTHER', Buffer.concat([pngOf(), zip])],
    ['an image with a ZIP in it', 'FILE_HOLDS_ANOTHER', pngOf(zip)],
    [
      'a photo with HTML behind it',
      'FILE_HOLDS_ANOTHER',
      Buffer.concat([jpegOf(), Buffer.from(script)]),
    ],
    [
      'a GIF with SVG behind it',
      'FILE_HOLDS_ANOTHER',
      Buffer.concat([gifOf(), Buffer.from('< svg onload=x>')]),
    ],
    ['a WebP with a PDF behind it', 'FILE_HOLDS_ANOTHER', Buffer.concat([webpOf(), pdf])],
    ['a PDF with HTML behind it', 'FILE_HOLDS_ANOTHER', Buffer.concat([pdf, Buffer.from(script)])],
    ['a PDF with a ZIP behind it', 'FILE_HOLDS_ANOTHER', Buffer.concat([pdf, zip])],
    ['a PNG that is cut', 'FILE_DAMAGED', pngOf().subarray(0, -6)],
    ['a GIF that is cut', 'FILE_DAMAGED', gifOf().subarray(0, -1)],
    ['a JPEG that is cut', 'FILE_DAMAGED', jpegOf().subarray(0, -2)],
    ['a WebP that is cut', 'FILE_DAMAGED', webpOf().subarray(0, -1)],
    ['a PDF that is cut', 'FILE_DAMAGED', pdf.subarray(0, -7)],
    ['a beginning of a PNG alone', 'FILE_DAMAGED', pngOf().subarray(0, 30)],
    ['a PNG without pixels', 'FILE_DAMAGED', Buffer.from(pngOf()).fill(0, 16, 20)],
    [
      'a JPEG that is a beginning with HTML',
      'FILE_DAMAGED',
      Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.from(`\0\0${script}`)]),
    ],
    ['a GIF that is a beginning with a script', 'FILE_DAMAGED', `GIF89a/*${script}*/=1;alert(1)`],
  ];
  test.each(refused)(
    'of %s is refused with %s, and leaves nothing',
    async (_, code, content, name = 'a.txt') => {
      const { status, body } = await upload(owner.client, Buffer.from(content), name);
      expect([status, body.code, body.fields]).toEqual([422, code, { file: body.message }]);
      expect(await stored()).toEqual({ files: 0, chunks: 0 });
    },
  );

  test('of an image whose bytes hold a script is served as nothing but that image', async () => {
    const { body } = await upload(owner.client, gifOf(script), 'x.html');
    expect(body.attachment).toMatchObject({ type: 'image/gif', name: 'x.html.gif' });
    const { headers } = await fetchFile(body.attachment.id);
    expect(headers).toMatchObject({
      'content-type': 'image/gif',
      'x-content-type-options': 'nosniff',
      'content-disposition': expect.stringMatching(/^attachment;/),
      'content-security-policy': expect.stringMatching(/sandbox$/),
    });
  });
});
