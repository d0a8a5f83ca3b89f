import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempted } from '../log.ts';

const INFO_PORT = 16_001;

type Section = ReadonlyMap<string, string>;

/** Sections and keys are in small letters; the last of two equal keys counts, as in OSCam. */
function readSections(text: string): Map<string, Section> {
  const sections = new Map<string, Map<string, string>>();
  let section = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[([^\]]+)\]/.exec(line)?.[1];
    if (heading !== undefined) {
      const name = heading.trim().toLowerCase();
      section = sections.get(name) ?? new Map();
      sections.set(name, section);
      continue;
    }
    const [, key, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) section.set(key.toLowerCase(), value);
  }
  return sections;
}

function portOf(text: string | undefined): number | null {
  const port = Number(/^\+?(\d{1,5})/.exec(text ?? '')?.[1] ?? 0);
  return port >= 1 && port <= 65_535 ? port : null;
}

/** The web interface is on this machine, whatever other addresses it listens on. A plus sign means TLS. */
function webifOf(webif: Section | undefined): Record<string, string> {
  const port = portOf(webif?.get('httpport'));
  if (!webif || port === null) return {};
  const scheme = webif.get('httpport')?.startsWith('+') ? 'https' : 'http';
  const user = webif.get('httpuser') ?? '';
  const password = webif.get('httppwd') ?? '';
  return {
    OSCAM_WEBIF_URL: `${scheme}://127.0.0.1:${port}`,
    ...(user && password && { OSCAM_WEBIF_USER: user, OSCAM_WEBIF_PASSWORD: password }),
  };
}

/** CCcam's information port is open unless its file says otherwise. */
function infoOf(text: string): Record<string, string> {
  const of = (key: string) =>
    new RegExp(`^[ \\t]*${key}[ \\t]*:[ \\t]*(.*?)[ \\t]*$`, 'im').exec(text)?.[1] ?? '';
  if (!text || /^no/i.test(of('ALLOW WEBINFO'))) return {};
  const port = portOf(of('WEBINFO LISTEN PORT')) ?? INFO_PORT;
  const user = of('WEBINFO USERNAME');
  const password = of('WEBINFO PASSWORD');
  return {
    CCCAM_INFO_URL: `http://127.0.0.1:${port}`,
    ...(user && password && { CCCAM_INFO_USER: user, CCCAM_INFO_PASSWORD: password }),
  };
}

const readIfThere = (file: string) => attempted(() => readFileSync(file, 'latin1')) ?? '';

/**
 * Protocol, port and settings of the agent for a card server, of its own configuration in OSCam's folder, or else in
 * CCcam.cfg. Either may be empty.
 */
export function readCardServer(oscamFolder: string, cccamFile: string) {
  const sections = readSections(oscamFolder && readIfThere(join(oscamFolder, 'oscam.conf')));
  const webif = webifOf(sections.get('webif'));
  const cccam = portOf(sections.get('cccam')?.get('port'));
  if (cccam !== null) return { protocol: 'CCcam', port: cccam, webif, info: {} };
  const newcamd = portOf(sections.get('newcamd')?.get('port'));
  if (newcamd !== null) return { protocol: 'NewCamd', port: newcamd, webif, info: {} };
  const text = cccamFile && readIfThere(cccamFile);
  const listens = /^\s*SERVER LISTEN PORT\s*:\s*(\d+)/im.exec(text);
  return { protocol: 'CCcam', port: portOf(listens?.[1]), webif, info: infoOf(text) };
}
