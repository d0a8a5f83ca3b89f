import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare.mjs';
import { releasedUnit } from './files.ts';

interface Package {
  name: string;
  /** The first sentence is the summary in lists of packages. */
  description: string;
  units: string[];
  /** Folders that the service writes to; no removal touches them. */
  folders: string[];
  conffiles: string[];
}

export const panelPackage: Package = {
  name: 'linekeeper',
  description: 'Web panel for subscription lines on card servers',
  units: [
    'linekeeper.service',
    'linekeeper@.service',
    'linekeeper-backup.service',
    'linekeeper-backup.timer',
  ],
  folders: ['/var/lib/linekeeper', '/var/backups/linekeeper'],
  conffiles: ['/etc/linekeeper.env'],
};

export const agentPackage: Package = {
  name: 'linekeeper-agent',
  description: "Linekeeper's agent beside a card server",
  units: ['linekeeper-agent.service'],
  folders: ['/var/lib/linekeeper-agent'],
  conffiles: [],
};

/** The names that Debian gives to Node's architectures. */
export const debianNames = { x64: 'amd64', arm64: 'arm64' } as const;
export type Architecture = keyof typeof debianNames;

/** The control file. A version such as 2.0.0-rc.1 is older than 2.0.0, which Debian writes with a tilde. */
export const controlOf = (
  { name, description }: Package,
  version: string,
  architecture: Architecture,
  kibibytes: number,
): string => `Package: ${name}
Version: ${version.replace('-', '~')}
Architecture: ${debianNames[architecture]}
Maintainer: The Linekeeper authors
Installed-Size: ${kibibytes}
Depends: libc6 (>= 2.28), libstdc++6, passwd, init-system-helpers
Section: net
Priority: optional
Description: ${description}
`;

/**
 * Gives all files below a folder the same time and plain modes, so that equal files make equal archives. Returns their
 * size in KiB as Debian counts it, because the blocks that a disk uses for equal files differ.
 */
export function settle(folder: string, seconds: number): number {
  let kibibytes = 1;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) kibibytes += settle(path, seconds);
    else {
      const { mode, size } = lstatSync(path);
      kibibytes += entry.isFile() ? Math.ceil(size / 1024) : 1;
      if (entry.isFile()) chmodSync(path, mode & 0o100 ? 0o755 : 0o644);
      lutimesSync(path, seconds, seconds);
    }
  }
  chmodSync(folder, 0o755);
  lutimesSync(folder, seconds, seconds);
  return kibibytes;
}

/** Writes a package whose program is in /usr/lib/<name> of a folder already, and adds everything else there. */
export function buildDeb(
  about: Package,
  { tree, file, version, architecture, seconds }: Deb,
): void {
  const { name, units, folders, conffiles } = about;
  const program = `/usr/lib/${name}`;
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(join(tree, path, '..'), { recursive: true });
    writeFileSync(join(tree, path), text, { mode });
  };
  for (const unit of units) {
    const text = readFileSync(join(root, 'deploy', unit), 'utf8');
    write(`usr/lib/systemd/system/${unit}`, releasedUnit(text, program));
  }
  mkdirSync(join(tree, 'usr/share/doc', name), { recursive: true });
  symlinkSync(`../../../lib/${name}/LICENSES`, join(tree, 'usr/share/doc', name, 'copyright'));
  for (const path of conffiles) {
    mkdirSync(join(tree, path, '..'), { recursive: true });
    cpSync(join(root, 'scripts/release', path.replace('/etc/', '')), join(tree, path));
  }
  write('DEBIAN/control', controlOf(about, version, architecture, settle(tree, seconds)));
  if (conffiles.length > 0) write('DEBIAN/conffiles', `${conffiles.join('\n')}\n`);
  for (const script of ['postinst', 'prerm', 'postrm']) {
    const text = readFileSync(join(root, 'scripts/release/debian', script), 'utf8');
    const filled = text.replaceAll('@NAME@', name).replaceAll('@FOLDERS@', folders.join(' '));
    write(`DEBIAN/${script}`, filled, 0o755);
  }
  settle(tree, seconds);
  // The settings may contain SECRET_KEY.
  for (const path of conffiles) chmodSync(join(tree, path), 0o640);
  rmSync(file, { force: true });
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z9', '--build', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: `${seconds}` },
  });
}

interface Deb {
  tree: string;
  file: string;
  version: string;
  architecture: Architecture;
  /** The time of all files, since 1970. */
  seconds: number;
}
