#!/bin/sh
# Installs the Linekeeper panel of a release on Debian or Ubuntu. Run again, it repairs the installation: settings, key
# and data stay as they are.
#
#   sh install.sh                                             from the folder of this script
#   curl -fsSL <address>/install.sh | sh -s -- --from <address>
#   sh install.sh --dry-run                                   prints each step, and changes nothing
#
# What is asked on a terminal can be given in the environment: DOMAIN (for which Caddy gets a certificate, or none),
# DATABASE_URL (of PostgreSQL, or none), TIME_ZONE and ADMIN_EMAIL. DESTDIR installs below another folder.

set -eu

VERSION='@VERSION@'
RELEASE_KEY='@RELEASE_KEY@'

DESTDIR=${DESTDIR:-}
PROGRAM=$DESTDIR/usr/lib/linekeeper
SETTINGS=$DESTDIR/etc/linekeeper.env
DATA=$DESTDIR/var/lib/linekeeper
BACKUPS=$DESTDIR/var/backups/linekeeper
CACHE=$DESTDIR/var/cache/linekeeper
# A unit here takes precedence over that of the package. A panel from a clone has one.
UNIT=$DESTDIR/etc/systemd/system/linekeeper.service
CADDYFILE=$DESTDIR/etc/caddy/Caddyfile
# Caddy's environment. On the next run, the file shows that Caddy is wanted.
CADDY_ENV=$DESTDIR/etc/caddy/linekeeper.env
# In /tmp, Debian 13 keeps files in memory.
export TMPDIR="${TMPDIR:-/var/tmp}"
undone='The panel that ran before was started again.'

. "$(dirname "$0")/../../apps/agent/install-shared.sh" # @SHARED@

# doing STEP COMMAND: prints the step, and runs the command unless nothing may be changed.
doing() { step "$1" && { [ -n "$dry" ] || "$2"; }; }
version_of() { dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null | sed -n 's/^installed //p' | tr '~' -; }
setting() { sed -n "s/^$1=//p" "$SETTINGS" 2>/dev/null | tail -n 1 | tr -d "'\""; }
apt_install() {
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@" ||
    fail 'apt-get could not install the package. The reason is above.'
}

check_machine() {
  [ -n "$dry$DESTDIR" ] || is_root || fail 'Only root can install the panel. Put sudo before sh.'
  has apt-get || fail 'The package is for Debian and Ubuntu. Use the tarball on other systems.'
  [ -n "$DESTDIR" ] || has_systemd || fail 'systemd does not run on this machine.'
  has openssl || fail 'openssl is not installed. Install it with: apt-get install -y openssl'
  needs_space /usr 400
  needs_space /var 300
  package=linekeeper_${VERSION}_$(dpkg --print-architecture).deb
  former=$(version_of linekeeper)
  [ "${former:-$VERSION}" = "$VERSION" ] ||
    fail "Version $former is installed. To replace it: linekeeper update --from $from"
}

get() {
  case $from in
    http://* | https://*) download "$from/$1" "$work/$1" ;;
    *) cp "$from/$1" "$work/$1" || fail "Could not copy $from/$1." ;;
  esac
}
check_signature() {
  get SHA256SUMS && get SHA256SUMS.sig
  printf '%s\n' "$RELEASE_KEY" >"$work/key"
  openssl pkeyutl -verify -pubin -inkey "$work/key" -rawin -in "$work/SHA256SUMS" -sigfile "$work/SHA256SUMS.sig" \
    >/dev/null 2>&1 || fail "The signature of $from/SHA256SUMS was not made with the key in this script."
  sum=$(sed -n "s/^\([0-9a-f]\{64\}\)  $package\$/\1/p" "$work/SHA256SUMS")
  [ -n "$sum" ] || fail "$from has no $package. Use the install.sh of that release."
}
# The copy is checked, because other users may be able to change the original.
get_package() {
  get "$package"
  [ "$(sha256_of <"$work/$package")" = "$sum" ] || fail "$package does not match its checksum. Get it again."
}

# Refuses links, and files of other users, in the folders that the panel is about to own.
check_paths() {
  refuse_link "$SETTINGS"
  for folder in "$DATA" "$BACKUPS"; do
    refuse_link "$folder" 'Replace it with a folder, and mount the other disk there.'
    [ -e "$folder" ] || continue
    [ -d "$folder" ] || fail "$folder is not a folder."
    placed_by_root "$folder" || fail "Users other than root can write above $folder."
    owner=$(stat -c %U "$folder")
    case $DESTDIR$owner in root | UNKNOWN | linekeeper | /*) ;; *) fail "$folder belongs to $owner, not to linekeeper." ;; esac
  done
}

# Finds a panel from a clone that was set up by the guide. Any other unit is the operator's own.
find_clone() {
  ! ls "$DESTDIR"/etc/systemd/system/*.wants/linekeeper@* >/dev/null 2>&1 ||
    fail 'Several panels run on this machine, as linekeeper@…. This script is for a single one.'
  if [ ! -f "$UNIT" ] || grep -q '^ExecStart=/usr/lib/linekeeper/' "$UNIT"; then return 0; fi
  grep -q '^ExecStart=/opt/linekeeper/' "$UNIT" || fail "$UNIT starts another panel. Stop it, and move the file away."
  clone=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$DESTDIR/opt/linekeeper/package.json")
  ! dpkg --compare-versions "$clone" gt "$VERSION" || fail "The panel in /opt/linekeeper is newer: $clone."
}

# True for the Caddyfile that came with Caddy's package.
is_untouched() { dpkg-query -W -f '${Conffiles}' caddy 2>/dev/null | grep -q "Caddyfile $(md5sum <"$CADDYFILE" | cut -c 1-32)"; }
check_caddy() {
  if [ "$DOMAIN" = none ] || [ ! -f "$CADDYFILE" ] || is_untouched || grep -q 'reverse_proxy {.PANELS}' "$CADDYFILE"; then return 0; fi
  fail "$CADDYFILE has other sites. Install with DOMAIN=none, then add the panel's site as docs/how-to/proxy.md shows."
}

# choose VARIABLE QUESTION DEFAULT PATTERN EXAMPLE: asks for what the environment does not have.
choose() {
  eval "answer=\${$1:-}"
  if [ -z "$answer" ] && has_terminal; then ask "$2 [$3]:"; fi
  answer=${answer:-$3}
  if [ "$(printf '%s\n' "$answer" | wc -l)" != 1 ] || ! printf '%s\n' "$answer" | grep -Eqx "$4"; then
    fail "$1 is invalid. A valid value is, for example, $5."
  fi
  eval "$1=\$answer"
}
choose_settings() {
  zone=$(readlink "$DESTDIR/etc/localtime" | sed -n 's#^.*/zoneinfo/##p')
  choose DOMAIN 'Domain for the panel, or none. Caddy gets its certificate' none \
    'none|([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z0-9-]*[A-Za-z0-9]' panel.example.org
  choose DATABASE_URL 'Address of a PostgreSQL database, or none for the embedded one' none \
    "none|postgres(ql)?://[^'\\ ]+" 'postgres://user:password@127.0.0.1/linekeeper, with special characters as %27'
  choose TIME_ZONE 'Time zone' "${zone:-UTC}" '[A-Za-z]+(/?[A-Za-z0-9_+-]+)*' Europe/Berlin
  [ ! -d /usr/share/zoneinfo ] || [ -f "/usr/share/zoneinfo/$TIME_ZONE" ] || fail "There is no time zone $TIME_ZONE."
  choose ADMIN_EMAIL 'Your email, with which you sign in' admin@linekeeper.local \
    '[A-Za-z0-9._+-]+@[A-Za-z0-9.-]+' you@example.org
}
# The file appears whole or not at all, so that a run that was cut off is continued with the same password.
write_settings() {
  if [ "$DOMAIN" != none ]; then
    mkdir -p "${CADDY_ENV%/*}"
    printf '%s\n' "PUBLIC_URL=https://$DOMAIN" PANELS=127.0.0.1:8080 >"$CADDY_ENV"
  fi
  (umask 077 && {
    say '# Settings of Linekeeper. To apply a change: systemctl restart linekeeper'
    say '# docs/reference/settings.md explains all of them.'
    printf '%s\n' "DATA_DIR=$DATA" "TIME_ZONE=$TIME_ZONE" "ADMIN_EMAIL=$ADMIN_EMAIL" 'BACKUP_SCHEDULE=daily 03:30' "BACKUP_DIR=$BACKUPS"
    [ "$DOMAIN" = none ] || printf '%s\n' "PUBLIC_URL=https://$DOMAIN" TRUST_PROXY=127.0.0.1
    [ "$DATABASE_URL" = none ] || printf '%s\n' "DATABASE_URL='$DATABASE_URL'" "SECRET_KEY='$(openssl rand -base64 32)'"
    say '# install.sh removes the next line as soon as the panel runs.'
    say "ADMIN_PASSWORD='$(openssl rand -base64 15)'"
  } >"$SETTINGS.new")
  mv "$SETTINGS.new" "$SETTINGS"
}

take_over() {
  on_failure "[ ! -f '$UNIT.of-clone' ] || mv '$UNIT.of-clone' '$UNIT'; systemctl daemon-reload; systemctl enable --now linekeeper"
  systemctl disable --quiet --now linekeeper
  mkdir -p "$BACKUPS"
  (cd "$DESTDIR/opt/linekeeper" && export LINEKEEPER_SETTINGS="$SETTINGS" PATH="$PWD/bin:$PWD/node_modules/.bin:$PATH" &&
    node "scripts/$(if [ -f scripts/db.mjs ]; then echo db; else echo run; fi).mjs" backup "$BACKUPS/") || # db until 1.6
    fail 'The backup failed.'
  mv "$UNIT" "$UNIT.of-clone"
}
install_package() {
  if [ -n "$(dpkg --audit)" ]; then dpkg --configure -a || true; fi
  apt_install --reinstall -o Dpkg::Options::=--force-confold -o APT::Sandbox::User=root "$work/$package"
  # An update goes back to this package if the newer version does not come up.
  mkdir -p "$CACHE" && chmod 700 "$CACHE" && cp "$work/$package" "$CACHE/new" && mv "$CACHE/new" "$CACHE/$package"
}
repair_owners() {
  own root:linekeeper "$SETTINGS" && chmod 640 "$SETTINGS"
  for folder in "$DATA" "$BACKUPS"; do
    mkdir -p "$folder" && chmod 700 "$folder" && own -R linekeeper:linekeeper "$folder"
  done
}
# call PATH BODY: succeeds if the panel does. Only root can read a process's environment.
call() {
  URL=http://127.0.0.1:$port$1 BODY=${2:-} "$PROGRAM/bin/node" -e 'const { URL: url, BODY: body } = process.env
    const post = { method: "POST", body, headers: { "content-type": "application/json" } }
    fetch(url, body ? post : {}).then((reply) => process.exit(reply.ok ? 0 : 1))' >/dev/null 2>&1
}
answers() {
  call /ready && return
  waits=$(journalctl -u linekeeper -S -6min -o cat 2>/dev/null | sed -n 's/^.* for \(the database .*\)\. http.*/\1/p' | tail -n 1)
  [ "${tries:-0}" -lt 15 ] || [ -z "$waits" ] || fail "The panel cannot reach $waits. Correct DATABASE_URL in $SETTINGS, then run this again."
  false
}
start_panel() {
  systemctl daemon-reload && systemctl enable --quiet linekeeper && systemctl start linekeeper
  wait_for linekeeper 300 answers && undo=''
}
set_up_caddy() {
  [ -n "$(version_of caddy)" ] || { apt-get update -qq && apt_install caddy; }
  if [ ! -f "$CADDYFILE" ] || is_untouched; then cp "$PROGRAM/deploy/Caddyfile" "$CADDYFILE"; fi
  mkdir -p "$DESTDIR/etc/systemd/system/caddy.service.d"
  printf '[Service]\nEnvironmentFile=%s\n' "$CADDY_ENV" >"$DESTDIR/etc/systemd/system/caddy.service.d/linekeeper.conf"
  systemctl daemon-reload
  systemctl enable --quiet caddy
  systemctl restart caddy || fail 'Caddy does not start. The reason is in: journalctl -u caddy'
}
announce() {
  password=$(sed -n "/^# install.sh removes/{n;s/^ADMIN_PASSWORD='\(.*\)'\$/\1/p;}" "$SETTINGS")
  printf '\nLinekeeper %s is running.\n' "$VERSION"
  step "Address        $address"
  step "Administrator  $email"
  if [ -n "$password" ] && call /api/auth/sign-in/email "{\"email\":\"$email\",\"password\":\"$password\"}"; then
    step "Password       $password   (shown only once)"
  else answers || fail 'The panel no longer responds. Run this script again: it shows the password then.'
    step 'Password       as before. To set a new one: linekeeper reset-password <email>'
  fi
  sed -i '/^# install.sh removes the next line/,+1d' "$SETTINGS"
  if [ "$DOMAIN" != none ]; then say "The address works once $DOMAIN points to this machine and Caddy has the certificate."
  else say "From your own computer: ssh -L $port:127.0.0.1:$port root@<this machine>, then open the address."
  fi
  if [ -n "$(setting DATABASE_URL)" ]; then secret=/etc/linekeeper.env; else secret=$DATA/secret.key; fi
  say "Keep a copy of $secret on another machine: no backup contains the key."
  [ -z "$clone" ] || say "The clone in /opt/linekeeper is no longer used. docs/how-to/install.md shows how to return to it."
}
main() {
  dry='' from='' clone='' whole=''
  while [ $# -gt 0 ]; do
    case $1 in
      --from) from=${2:-} && from=${from%/} && shift ;;
      --dry-run) dry=1 ;;
      *) fail 'Usage: install.sh [--from <folder or address>] [--dry-run]' ;;
    esac
    shift
  done
  if [ -z "$from" ] && [ -f "$0" ]; then from=$(dirname "$0"); fi
  [ -n "$from" ] || fail 'Give the release: … | sh -s -- --from <folder or address>'
  begin
  check_machine
  check_signature
  check_paths
  find_clone
  if [ -f "$SETTINGS" ]; then
    wanted=${DOMAIN:-}
    DOMAIN=$(sed -n 's#^PUBLIC_URL=https://##p' "$CADDY_ENV" 2>/dev/null || true)
    [ "${wanted:-${DOMAIN:=none}}" = "$DOMAIN" ] ||
      fail "$SETTINGS is kept as it is. Change PUBLIC_URL there, and the proxy as docs/how-to/proxy.md shows."
  else choose_settings
  fi
  check_caddy
  if [ -n "$former" ] && [ -z "$(dpkg --audit)$(dpkg --verify linekeeper | grep -v ' c ')" ]; then whole=1; fi
  say "Linekeeper $VERSION from $from${dry:+. Nothing is changed. These would be the steps}:"
  if [ -n "$whole" ]; then step 'Keep the package, which is complete'; else doing "Get and check $package" get_package; fi
  if [ -f "$SETTINGS" ]; then step "Keep the settings in $SETTINGS"; else doing "Write the settings to $SETTINGS" write_settings; fi
  [ -z "$clone" ] || doing "Stop the panel $clone in /opt/linekeeper, and back up its database" take_over
  [ -n "$whole" ] || doing "Install the package: program in /usr/lib/linekeeper, user and service linekeeper" install_package
  doing "Give $DATA and $BACKUPS to the user linekeeper" repair_owners
  email=$(setting ADMIN_EMAIL) port=$(setting PORT) address=$(setting PUBLIC_URL)
  email=${email:-admin@linekeeper.local} port=${port:-8080} address=${address:-http://127.0.0.1:${port:-8080}}
  doing 'Start the panel, now and at boot' start_panel
  [ "$DOMAIN" = none ] || doing "Set up Caddy for $DOMAIN" set_up_caddy
  [ -n "$dry" ] || announce
}

# The whole script is read before its first command is run, even if the connection breaks.
main "$@"
