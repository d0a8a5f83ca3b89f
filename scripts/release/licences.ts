import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEXT = /^(licen[cs]e|copying|notice)/i;

/** The name, version, licence and the licence's texts of the package in a folder. Throws if it has no licence. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder, { withFileTypes: true });
  const texts = files.filter((entry) => entry.isFile() && TEXT.test(entry.name));
  const identifier = typeof license === 'string' ? license : license?.type;
  if (!identifier && texts.length === 0) throw new Error(`${name} ${version} has no licence.`);
  const read = texts.map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim());
  return [`${name} ${version} (${identifier ?? 'see below'})`, ...read].join('\n\n');
}

/**
 * The licences of the packages in a node_modules, and of those in other folders. Packages of this repository are links,
 * and are left out.
 */
export function licencesOf(modules: string, others: string[]): string {
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const installed = Object.keys(lock.packages)
    .filter((path) => path.includes('node_modules/') && !lock.packages[path].link)
    .map((path) => join(modules, '..', path))
    .filter((path) => existsSync(path));
  const licences = [...installed, ...others].map(licenceOf).sort();
  return `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
