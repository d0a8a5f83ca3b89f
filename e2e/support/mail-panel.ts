import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { panelPort } from './panel.ts';

interface Letter {
  subject: string;
  text: string;
  html: string;
}

export interface MailPanel {
  url: string;
  /** Waits for a mail with a link to this page. */
  letterTo(email: string, path: '/reset-password' | '/callback'): Promise<Letter>;
  stop(): Promise<void>;
}

/** Distance from the ports of the panels that all tests share. */
const PORTS_BESIDE = 1000;

/** Starts a panel that sends mail. */
export async function startMailPanel(): Promise<MailPanel> {
  const script = fileURLToPath(new URL('serve-with-mail.ts', import.meta.url));
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, MAIL_PANEL_PORT: String(panelPort + PORTS_BESIDE) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the panel with mail has ended');
    return JSON.parse(value);
  };
  const { url } = await next();
  return {
    url,
    letterTo: (email, path) => {
      child.stdin.write(`${email} ${path}\n`);
      return next();
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
