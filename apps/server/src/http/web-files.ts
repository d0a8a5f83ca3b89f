import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
/** Extensions of the compressed copies that the build writes, smallest first. */
const encodings = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;

interface Form {
  encoding: 'br' | 'gzip' | null;
  etag: string;
  content: Buffer;
}

export interface WebFile {
  type: string;
  /** The name contains a hash of the content, which therefore never changes. */
  isNamedByContent: boolean;
  /** Available encodings, smallest first, uncompressed last. */
  forms: Form[];
}

function asForm(content: Buffer, encoding: Form['encoding']): Form {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
  return { encoding, etag: `"${hash}"`, content };
}

async function readWebFile(folder: string, name: string, names: Set<string>): Promise<WebFile> {
  const forms: Form[] = [];
  for (const { name: encoding, ending } of encodings) {
    if (!names.has(name + ending)) continue;
    forms.push(asForm(await readFile(join(folder, name + ending)), encoding));
  }
  forms.push(asForm(await readFile(join(folder, name)), null));
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    isNamedByContent: name.startsWith('assets/'),
    forms,
  };
}

/** All files of the built web app by path, such as /assets/start.js; empty if it is not built. */
export async function readWebFiles(folder: string): Promise<Map<string, WebFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const names = new Set(found.map((name) => name.replaceAll('\\', '/')));
  const files = new Map<string, WebFile>();
  for (const name of names) {
    const isPackedCopy = encodings.some(({ ending }) => name.endsWith(ending));
    // Names with a leading dot belong to the build and are not served.
    if (isPackedCopy || name.startsWith('.')) continue;
    files.set(`/${name}`, await readWebFile(folder, name, names));
  }
  return files;
}

/** The smallest encoding that the client's Accept-Encoding permits. */
export function negotiateEncoding({ forms }: WebFile, accepted: string): Form {
  const refused = new Set<string>();
  const taken = new Set<string>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    (isRefused ? refused : taken).add(coding);
  }
  const takes = (name: string) => taken.has(name) || (taken.has('*') && !refused.has(name));
  const chosen = forms.find(({ encoding }) => encoding === null || takes(encoding));
  return chosen as Form;
}
