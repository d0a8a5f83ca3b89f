import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Programs that would change the machine, or that it may not have; each is a script in `folder`. */
const stubs: Record<string, string> = {
  // Users are noted, so that a later owner must have been created before.
  useradd: `echo "\${@: -1}" >> "$ROOM/users"`,
  chown: `owner=\${@: -2:1}; grep -qx "\${owner%%:*}" "$ROOM/users"`,
  install: `args=()
while [ $# -gt 0 ]; do
  case $1 in
    -o|-g) [ "$2" = root ] || grep -qx "$2" "$ROOM/users" || exit 1; shift ;;
    *) args+=("$1") ;;
  esac
  shift
done
exec "$REAL_INSTALL" "\${args[@]}"`,
  git: `[ "$1" = clone ] || { echo git version 2; exit; }
mkdir "$3"
for entry in "$REPOSITORY"/* "$REPOSITORY"/.env.example; do ln -s "$entry" "$3/"; done`,
  // The repository is built already, or does not need it here.
  npm: `[ "$*" = "run build" ] || exec "$REAL_NPM" --silent "$@"`,
  openssl: `[ "$1" = version ] && { echo OpenSSL 3; exit; }
node -e 'console.log(require("node:crypto").randomBytes(24).toString("hex"))'`,
  curl: `exec node --input-type=module -e '
const url = process.argv.at(-1);
for (let tries = 0; ; tries++) {
  const reply = await fetch(url).catch(() => null);
  if (reply?.ok) { console.log(await reply.text()); break; }
  if (tries === 240) process.exit(1);
  await new Promise((go) => setTimeout(go, 250));
}' "\${@: -1}"`,
  journalctl: `while [ $# -gt 0 ]; do case $1 in -u) unit=$2 ;; -g) words=$2 ;; esac; shift; done
grep -E "$words" "$ROOM/$unit.journal"`,
  systemctl: `stop() {
  [ -e "$ROOM/$1.pid" ] || return 0
  kill "$(cat "$ROOM/$1.pid")" 2>/dev/null
  while kill -0 "$(cat "$ROOM/$1.pid")" 2>/dev/null; do sleep 0.1; done
  rm "$ROOM/$1.pid"
}
start() {
  unit=$ROOM/etc/systemd/system/$1.service
  [ -e "$unit" ] || exit 1
  inside=$(sed -E "s#(^|[ =])/(opt|etc|var)/#\\\\1$ROOM/\\\\2/#g" "$unit")
  cd "$ROOM/opt/linekeeper" || exit 1
  env $(sed -n 's/^Environment=//p' <<< "$inside") $(sed -n 's/^ExecStart=//p' <<< "$inside") \\
    >> "$ROOM/$1.journal" 2>&1 < /dev/null &
  echo $! > "$ROOM/$1.pid"
}
act=$1; shift
[ "$1" = --now ] && shift
for name in "$@"; do
  case $act in
    stop|disable) stop "$name" ;;
    start|enable) start "$name" ;;
    restart) stop "$name"; start "$name" ;;
  esac
done`,
};

export function writeStubs(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(stubs)) {
    writeFileSync(join(folder, name), `#!/usr/bin/env bash\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
}
