# Functions of the scripts that install the agent and the panel. The build puts this file into both of them, in place of
# the line that reads it here. A script sets DESTDIR: with a folder in it, the script installs below that folder.

say() { printf '%s\n' "$*"; }
step() { printf '  %s\n' "$*"; }
undo=''
# Adds a command that is run if a later step fails; the last added is run first.
on_failure() { undo="$1
$undo"; }
fail() {
  printf '\n%s failed: %s\n' "${what:-Installation}" "$*" >&2
  exit 1
}
finish() {
  code=$?
  trap - EXIT INT TERM HUP
  if [ "$code" -ne 0 ] && [ -n "$undo" ]; then
    say 'Rolling back …' >&2
    set +e
    eval "$undo"
    say "${undone:-All changes were undone.}" >&2
  fi
  [ -z "${unpacked:-}" ] || rm -rf "$unpacked"
  [ -z "${work:-}" ] || rm -rf "$work"
  exit "$code"
}
# begin: makes the folder $work, which is removed at the end.
begin() {
  work=$(mktemp -d)
  trap finish EXIT
  trap 'exit 1' INT TERM HUP
}

has() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }
has_systemd() { [ -z "$DESTDIR" ] && [ -d /run/systemd/system ] && has systemctl; }

# download ADDRESS FILE: with curl or wget, whichever is installed.
download() {
  if has curl; then curl -fsSL -o "$2" "$1"
  elif has wget; then wget -q -O "$2" "$1"
  else fail 'Neither curl nor wget is installed.'
  fi || fail "Could not download $1."
}
sha256_of() { sha256sum | cut -d ' ' -f 1; }
# needs_space FOLDER MEGABYTES
needs_space() {
  free=$(df -Pk "$DESTDIR$1" 2>/dev/null | awk 'NR == 2 { print $4 }')
  [ "${free:-99999999}" -ge $(($2 * 1024)) ] || fail "At least $2 MB of free space is needed in $1."
}

# ask QUESTION: reads a line from the terminal, though the script itself comes by the standard input.
has_terminal() { [ -z "$DESTDIR" ] && (: </dev/tty) 2>/dev/null; }
ask() {
  printf '%s ' "$1" >/dev/tty
  read -r answer </dev/tty || answer=''
}

# True for a path with unusual characters, such as spaces and quotes: the path becomes a part of
# commands, of the systemd unit and of the file that an update reads.
is_odd_path() {
  case $1 in
    *[!A-Za-z0-9/._-]* | [!/]* | */../* | */..) return 0 ;;
    *) return 1 ;;
  esac
}
refuse_odd_path() {
  ! is_odd_path "$2" || fail "$1: only absolute paths of letters, digits and / . _ - are \
supported, not $(printf '%s' "$2" | tr -cd '[:print:]')"
}
refuse_link() { [ ! -L "$1" ] || fail "$1 is a link. ${2:-Give the path that it points to, or replace it with a file.}"; }

# placed_by_root PATH: true if nobody but root can have put it there.
placed_by_root() {
  [ -z "$DESTDIR" ] || return 0
  above=$1
  while [ "$above" != / ]; do
    above=$(dirname "$above")
    [ "$(stat -c %u "$above")" = 0 ] || return 1
    case $(stat -c %a "$above") in *[2367]) return 1 ;; esac
  done
}
own() { [ -n "$DESTDIR" ] || chown -h "$@"; }

# wait_for SERVICE SECONDS CHECK: waits until the check succeeds, and shows the end of the log otherwise.
wait_for() {
  tries=0
  until $3; do
    tries=$((tries + 1))
    if [ "$tries" -ge "$2" ] || [ "$(systemctl show -p NRestarts --value "$1" 2>/dev/null || true)" -gt 2 ] 2>/dev/null; then
      if has_systemd; then journalctl "_SYSTEMD_UNIT=$1.service" -n 5 --no-pager -o cat >&2 || true
      else tail -n 5 "/var/log/$1.log" >&2 || true
      fi
      fail "$1 does not start. The end of its log is above."
    fi
    sleep 1
  done
}
