#!/bin/sh
# Installs the Linekeeper agent beside a card server, updates it, or removes it. The panel serves this script.
#
#   … | KEY=XXXX-XXXX-XXXX-XXXX-XXXX sh         installs the agent; the key is from the "Add server" page
#   … | sh                                      updates it; settings, records and password stay
#   … | sh -s -- --remove                       removes it; the files of the card server stay
#
# What is asked on a terminal can be given in the environment: OSCAM_DIR (OSCam's folder, or none), CCCAM_CFG
# (CCcam's file, or none), AGENT_PORT. DESTDIR installs below another folder, and starts nothing.

set -eu

PANEL=${PANEL:-'@PANEL@'}
VERSION='@VERSION@'
AGENT_SHA256='@AGENT_SHA256@'
NODE_SHA256='@NODE_SHA256@'
NODE_MACHINE='@NODE_MACHINE@'
OLDEST_NODE=24

KEY=${KEY:-}
DESTDIR=${DESTDIR:-}
NAME=linekeeper-agent
HOME_DIR=$DESTDIR/opt/$NAME
DATA_DIR=$DESTDIR/var/lib/$NAME
SETTINGS=$DESTDIR/etc/$NAME.env
UNIT=$DESTDIR/etc/systemd/system/$NAME.service
# The state that --remove restores, noted before each change: lines of "rights|link owner:group mode path".
MADE=$DESTDIR/etc/$NAME.made

. "$(dirname "$0")/install-shared.sh" # @SHARED@

# fetch PATH FILE: downloads a file of the panel.
fetch() { download "$PANEL$1" "$2"; }

# Runs the script again by sudo for an ordinary user. The key goes in a file, because any user can read arguments.
become_root() {
  [ -z "$DESTDIR" ] || return 0
  is_root && return 0
  has sudo || fail 'Only root can install the agent, and sudo is not installed. Become root, then paste the command again.'
  fetch /agent.sh "$work/agent.sh"
  (
    umask 077
    for name in KEY PANEL OSCAM_DIR CCCAM_CFG AGENT_PORT; do
      eval "value=\${$name:-}"
      [ -z "$value" ] || printf "%s='%s'\n" "$name" "$(printf '%s' "$value" | sed "s/'/'\\\\''/g")"
    done >"$work/given"
  )
  say 'Only root can install the agent. sudo may ask for your password.'
  sudo sh "$work/agent.sh" --given "$work/given" "$@"
  exit $?
}

# --- What is there -----------------------------------------------------------------------------------------------

# OSCam's folders: named by a running OSCam, or one of the usual ones.
oscam_folders() {
  {
    for file in /proc/[0-9]*/cmdline; do
      line=$(tr '\0' '\n' 2>/dev/null <"$file") || continue
      case $line in
        *oscam*) printf '%s\n' "$line" | awk '
          found { print; found = 0; next }
          $0 == "-c" || $0 == "--config-dir" { found = 1; next }
          /^--config-dir=/ { sub(/^--config-dir=/, ""); print; next }
          /^-c./ { print substr($0, 3) }' ;;
      esac
    done
    printf '%s\n' /etc/oscam /usr/local/etc /usr/local/etc/oscam /var/etc /var/etc/oscam /etc/tuxbox/config \
      /etc/tuxbox/config/oscam /usr/keys /var/keys /var/tuxbox/config /opt/oscam /opt/oscam/config /opt/oscam/etc
  } | while read -r folder; do
    folder=${folder%/}
    # Any user can start a program with this name.
    ! is_odd_path "$folder" || continue
    if [ -f "$DESTDIR$folder/oscam.conf" ] || [ -f "$DESTDIR$folder/oscam.user" ]; then printf '%s\n' "$folder"; fi
  done | awk '!seen[$0]++'
}

cccam_files() {
  for file in /etc/CCcam.cfg /usr/local/etc/CCcam.cfg /var/etc/CCcam.cfg /var/keys/CCcam.cfg /usr/keys/CCcam.cfg \
    /opt/CCcam/CCcam.cfg /opt/cccam/CCcam.cfg; do
    if [ -f "$DESTDIR$file" ]; then printf '%s\n' "$file"; fi
  done
}

# choose WHAT VARIABLE LIST: sets the variable to the only entry, or to the one that the operator
# chooses. An entry that another user may have put there is taken only after a question.
choose() {
  count=$(printf '%s' "$3" | grep -c . || true)
  if [ "$count" = 0 ] || { [ "$count" = 1 ] && placed_by_root "$3"; }; then
    chosen=$3
    return 0
  fi
  found="$1 was found in several places"
  [ "$count" != 1 ] || found="$1 is in a place where users other than root can write"
  if ! has_terminal; then
    fail "$found: $(printf '%s' "$3" | tr '\n' ' ')
Put the right one before sh at the end of the command: … | $2=$(printf '%s' "$3" | head -n 1) KEY=… sh"
  fi
  printf '%s:\n' "$found" >/dev/tty
  printf '%s\n' "$3" | awk '{ printf "  %d  %s\n", NR, $0 }' >/dev/tty
  while :; do
    ask "Which one does the card server read? (1 to $count)"
    case $answer in '' | *[!0-9]*) continue ;; esac
    chosen=$(printf '%s\n' "$3" | sed -n "${answer}p")
    [ -z "$chosen" ] || return 0
  done
}

# Reads the places of the installation, so that an update does not ask again.
recall_places() {
  given_oscam=${OSCAM_DIR:-}
  given_cccam=${CCCAM_CFG:-}
  [ -f "$HOME_DIR/places" ] || return 0
  now=$PANEL
  . "$HOME_DIR/places"
  [ -z "$KEY" ] || [ "$PANEL" = "$now" ] ||
    fail "The agent on this machine belongs to the panel $PANEL. To remove it first, run this command with --remove."
  PANEL=$now
  OSCAM_DIR=${given_oscam:-${OSCAM_DIR:-none}}
  CCCAM_CFG=${given_cccam:-${CCCAM_CFG:-none}}
}

find_card_server() {
  recall_places
  if [ -z "${OSCAM_DIR:-}" ]; then
    choose OSCam OSCAM_DIR "$(oscam_folders)"
    OSCAM_DIR=$chosen
  elif [ "$OSCAM_DIR" = none ]; then
    OSCAM_DIR=''
  else
    refuse_odd_path OSCAM_DIR "$OSCAM_DIR"
    OSCAM_DIR=${OSCAM_DIR%/}
    [ -d "$DESTDIR$OSCAM_DIR" ] || fail "OSCAM_DIR: the folder $OSCAM_DIR does not exist."
  fi
  if [ -z "${CCCAM_CFG:-}" ]; then
    choose CCcam CCCAM_CFG "$(cccam_files)"
    CCCAM_CFG=$chosen
  elif [ "$CCCAM_CFG" = none ]; then
    CCCAM_CFG=''
  else
    refuse_odd_path CCCAM_CFG "$CCCAM_CFG"
    [ -f "$DESTDIR$CCCAM_CFG" ] || fail "CCCAM_CFG: the file $CCCAM_CFG does not exist."
  fi
  # The file itself if its name is a link, unless the link leads to the agent already.
  if [ -n "$CCCAM_CFG" ]; then
    file=$(readlink -f "$DESTDIR$CCCAM_CFG")
    [ "$file" = "$DATA_DIR/CCcam.cfg" ] || CCCAM_CFG=${file#"$DESTDIR"}
    refuse_odd_path CCCAM_CFG "$CCCAM_CFG"
  fi
  # The folder itself if its name is a link.
  [ -n "$DESTDIR" ] || [ -z "$OSCAM_DIR" ] || OSCAM_DIR=$(readlink -f "$OSCAM_DIR")
  refuse_odd_path OSCAM_DIR "$OSCAM_DIR"
}

# Finds a Node of the machine that the agent's user can run, too; otherwise the panel's is fetched.
machine_node() {
  own_node=''
  has node || return 0
  path=$(command -v node)
  if [ -z "$DESTDIR" ]; then
    case $(readlink -f "$path" 2>/dev/null || printf '%s' "$path") in /root/* | /home/*) return 0 ;; esac
  fi
  major=$("$path" --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p')
  [ "${major:-0}" -lt "$OLDEST_NODE" ] || own_node=$path
}

refuse_other_machine() {
  [ "$(uname -s)" = Linux ] || fail 'The agent runs on Linux only.'
  [ -z "$own_node" ] || return 0
  [ -n "$NODE_SHA256" ] && [ "$(uname -m)" = "$NODE_MACHINE" ] || fail "This machine is $(uname -m), and the panel has \
Node.js for ${NODE_MACHINE:-no other machine} only. Install Node.js $OLDEST_NODE or newer, then run the command again."
  has gzip || fail 'gzip is not installed.'
  needs_space /opt 60
}

# Options with which Node trusts the certificates that this machine trusts, such as a self-signed one of the panel.
node_options() { [ ! -d /etc/ssl/certs ] || printf '%s' --use-system-ca; }

# --- Installing --------------------------------------------------------------------------------------------------

fetch_files() {
  mkdir -p "$work/new"
  fetch /agent/linekeeper-agent.mjs "$work/new/linekeeper-agent.mjs"
  [ "$(sha256_of <"$work/new/linekeeper-agent.mjs")" = "$AGENT_SHA256" ] ||
    fail 'The downloaded agent does not match the panel’s checksum. Try again. If this happens again, check for a proxy between this machine and the panel.'
  if [ -n "$own_node" ]; then
    node=$own_node
    return 0
  fi
  if [ -f "$HOME_DIR/node.gz" ] && [ "$(cat "$HOME_DIR/node.sha256" 2>/dev/null)" = "$NODE_SHA256" ]; then
    cp "$HOME_DIR/node.gz" "$work/new/node.gz"
  else
    step 'Downloading Node.js, 45 MB …'
    fetch /agent/node.gz "$work/new/node.gz"
  fi
  [ "$(gzip -dc "$work/new/node.gz" | sha256_of)" = "$NODE_SHA256" ] ||
    fail 'The downloaded Node.js does not match the panel’s checksum. Try again.'
  printf '%s\n' "$NODE_SHA256" >"$work/new/node.sha256"
  unpack_node || fail "The panel's Node.js does not run here: 126 MB of free memory or a compatible C library is missing. \
Install Node.js $OLDEST_NODE or newer, then run the command again."
}

# Unpacks Node into memory, or onto a disk with room, for as long as this script runs.
unpack_node() {
  for folder in /dev/shm /run /tmp; do
    unpacked=$(mktemp -d "$folder/$NAME-install.XXXXXX" 2>/dev/null) || continue
    node=$unpacked/node
    if gzip -dc "$work/new/node.gz" 2>/dev/null >"$node" && chmod 755 "$node" && "$node" --version >/dev/null 2>&1; then
      return 0
    fi
    rm -rf "$unpacked"
  done
  unpacked=''
  return 1
}

# Writes the program that starts the agent. It unpacks Node into memory if the machine has no
# suitable one, so that Node takes 45 MB of the disk instead of 125.
write_start() {
  cat >"$work/new/start" <<START
#!/bin/sh
# Starts the Linekeeper agent on \$NODE, or on the Node beside it, unpacked into memory.
set -eu
here=/opt/$NAME
node='$own_node'
if [ -z "\$node" ]; then
  for folder in /run/$NAME /dev/shm /tmp; do
    # The agent removes this folder once it runs.
    AGENT_UNPACKED=\$(mktemp -d "\$folder/$NAME.XXXXXX" 2>/dev/null) || continue
    node=\$AGENT_UNPACKED/node
    if gzip -dc "\$here/node.gz" 2>/dev/null >"\$node" && chmod 700 "\$node" && "\$node" --version >/dev/null 2>&1; then
      export AGENT_UNPACKED
      break
    fi
    rm -rf "\$AGENT_UNPACKED"
    node=''
  done
fi
[ -n "\$node" ] || { echo 'Not enough memory to unpack Node.js (126 MB)' >&2; exit 1; }
cd /var/lib/$NAME
exec "\$node" --env-file=/etc/$NAME.env "\$here/linekeeper-agent.mjs"
START
  chmod 755 "$work/new/start"
}

# Chooses the agent's user: the owner of OSCam's folder, or, if that is root, a separate user whose
# group may write there.
choose_user() {
  user=$NAME
  if [ -n "$OSCAM_DIR" ]; then
    owner=$(stat -c %U "$DESTDIR$OSCAM_DIR")
    case $owner in root | UNKNOWN) ;; *) user=$owner ;; esac
  fi
  [ -z "$DESTDIR" ] || user=$(id -un)
}

make_user() {
  [ -z "$DESTDIR" ] || return 0
  ! id "$user" >/dev/null 2>&1 || return 0
  step "Creating the user $user"
  if has useradd; then
    useradd --system --home-dir /var/lib/$NAME --no-create-home --shell /usr/sbin/nologin "$user"
    on_failure "userdel $user 2>/dev/null"
  else
    adduser -S -D -H -h /var/lib/$NAME -s /sbin/nologin "$user"
    on_failure "deluser $user 2>/dev/null"
  fi
}

# as_user COMMAND: runs a command with the rights of the agent's user where that user may write,
# because a link that it put there would lead root to any file.
as_user() {
  if [ -n "$DESTDIR" ]; then sh -c "$1"; else su -s /bin/sh -c "$1" "$user"; fi
}

is_noted() { awk -v path="$1" '$4 == path { found = 1 } END { exit !found }' "$MADE" 2>/dev/null; }
# note KIND PATH: notes owner and rights of a path before they are changed. The first note of a path
# stays: after an interrupted installation, it is the only record of the original state.
note() {
  ! is_noted "$2" || return 0
  mkdir -p "$DESTDIR/etc"
  (umask 077 && printf '%s %s %s\n' "$1" "$(stat -c '%u:%g %a' "$2")" "$2" >>"$MADE")
  on_failure "put_back '$2'"
}

# put_back PATH: restores the path as it was noted. The agent has ended, and its rights in the
# folder are removed before the file in the folder is touched.
put_back() {
  read -r kind owner mode _ <<NOTED
$(awk -v path="$1" '$4 == path { print; exit }' "$MADE" 2>/dev/null)
NOTED
  case $kind in
    '') return 0 ;;
    rights)
      if [ -e "$1" ] && [ ! -L "$1" ]; then
        own "$owner" "$1"
        chmod "$mode" "$1"
      fi
      ;;
    link)
      if [ -L "$1" ] && [ -e "$DATA_DIR/CCcam.cfg" ]; then
        as_user "cat '$DATA_DIR/CCcam.cfg'" >"$1.linekeeper-new" || { rm -f "$1.linekeeper-new"; return 1; }
        own "$owner" "$1.linekeeper-new"
        chmod "$mode" "$1.linekeeper-new"
        mv "$1.linekeeper-new" "$1"
      fi
      [ -L "$1" ] || rm -f "$DATA_DIR/CCcam.cfg" "$1.before-linekeeper"
      ;;
  esac
  awk -v path="$1" '$4 != path' "$MADE" >"$MADE.new"
  if [ -s "$MADE.new" ]; then mv "$MADE.new" "$MADE"; else rm -f "$MADE.new" "$MADE"; fi
}

make_folders() {
  if [ ! -d "$DATA_DIR" ]; then
    mkdir -p "$DATA_DIR"
    on_failure "rm -rf '$DATA_DIR'"
  fi
  chmod 711 "$DATA_DIR"
  own -R "$user:$(id -gn "$user")" "$DATA_DIR"
}

# Links the agent to OSCam's file, which stays where it is, because OSCam replaces it when saving. An update grants the
# rights again, because a container may have given the folder to its own user since.
link_oscam() {
  [ -n "$OSCAM_DIR" ] || return 0
  if [ -e "$DATA_DIR/oscam.user" ] || [ -L "$DATA_DIR/oscam.user" ]; then
    # A file that the card server itself reads there.
    [ -L "$DATA_DIR/oscam.user" ] || return 0
  fi
  folder=$DESTDIR$OSCAM_DIR
  refuse_link "$folder/oscam.user"
  if [ "$user" != "$NAME" ] || [ -n "$DESTDIR" ]; then
    [ -e "$folder/oscam.user" ] || {
      as_user "umask 027; : >>'$folder/oscam.user'"
      on_failure "as_user \"rm -f '$folder/oscam.user'\""
    }
  else
    [ -e "$folder/oscam.user" ] || {
      (umask 027 && : >"$folder/oscam.user")
      on_failure "rm -f '$folder/oscam.user'"
    }
    for path in "$folder/oscam.user" "$folder"; do
      note rights "$path"
      chgrp "$NAME" "$path" && chmod g+rwX "$path" || step "Could not change the owner and permissions of $path"
    done
  fi
  # A lock that the agent left when it ran as another user.
  lock=$folder/.oscam.user.linekeeper-lock
  [ ! -e "$lock" ] || own "$user" "$lock" || step "Could not change the owner of $lock"
  [ -L "$DATA_DIR/oscam.user" ] || {
    ln -s "$folder/oscam.user" "$DATA_DIR/oscam.user"
    on_failure "rm -f '$DATA_DIR/oscam.user'"
  }
}

# Prints a warning at the end if the agent's user cannot write to OSCam's folder, because the panel
# would sell nothing there.
say_if_not_allowed() {
  [ -n "$OSCAM_DIR" ] && [ -z "$DESTDIR" ] || return 0
  ! as_user "test -w '$OSCAM_DIR' -a -x '$OSCAM_DIR' -a -r '$OSCAM_DIR/oscam.user'" || return 0
  say "Warning: the agent runs as $user and cannot write to $OSCAM_DIR ($(stat -c 'owner %U:%G, permissions %a' "$OSCAM_DIR"))."
  say 'No lines can be sent here until it can. Give it write permission, or mount the folder as writable.'
}

# Moves CCcam's file to the agent and leaves a link in its place, because CCcam only reads the file.
link_cccam() {
  [ -n "$CCCAM_CFG" ] || return 0
  file=$DESTDIR$CCCAM_CFG
  [ "$(readlink "$file" || true)" != "$DATA_DIR/CCcam.cfg" ] || return 0
  refuse_link "$file"
  # An interrupted installation left a copy, which no agent ever served.
  if is_noted "$file" && [ ! -d "$HOME_DIR" ]; then rm -f "$DATA_DIR/CCcam.cfg"; fi
  [ ! -e "$DATA_DIR/CCcam.cfg" ] || fail "Both $CCCAM_CFG and $DATA_DIR/CCcam.cfg exist. Keep one of them."
  note link "$file"
  cp -p "$file" "$file.before-linekeeper"
  cp -p "$file" "$work/CCcam.cfg"
  own "$user" "$work/CCcam.cfg"
  # Moving the file replaces a link, where copying would follow it.
  mv -f "$work/CCcam.cfg" "$DATA_DIR/CCcam.cfg"
  ln -sf "$DATA_DIR/CCcam.cfg" "$file"
}

write_settings() {
  [ ! -f "$SETTINGS" ] || return 0
  mkdir -p "$DESTDIR/etc"
  on_failure "rm -f '$SETTINGS'"
  (umask 077 && cat >"$SETTINGS" <<SETTINGS
# Settings of the Linekeeper agent; docs/reference/settings.md of the panel explains them all. Restart the agent after
# a change: systemctl restart $NAME
AGENT_DIR=$DATA_DIR
SETTINGS
  )
}

# The password is in the file, so only root and the agent may read it.
protect_settings() {
  own "root:$(id -gn "$user")" "$SETTINGS"
  chmod 640 "$SETTINGS"
}

first_call() {
  cp "$SETTINGS" "$work/settings-before"
  on_failure "[ ! -f '$SETTINGS' ] || cp '$work/settings-before' '$SETTINGS'"
  step "Contacting the panel at $PANEL"
  said=$(KEY=$KEY PANEL=$PANEL OSCAM_DIR=$OSCAM_DIR_HERE CCCAM_CFG=$CCCAM_CFG_HERE AGENT_PORT=${AGENT_PORT:-} \
    NODE_OPTIONS=$(node_options) "$node" "$work/new/linekeeper-agent.mjs" first-call "$SETTINGS" 2>&1) || fail "$said"
}

write_unit() {
  case $OSCAM_DIR in /root* | /home*) protect_home=no ;; *) protect_home=yes ;; esac
  mkdir -p "$(dirname "$UNIT")"
  [ -f "$UNIT" ] || on_failure "rm -f '$UNIT'"
  cat >"$UNIT" <<UNIT
# Written by the installation of the Linekeeper agent, and again by each update. Put your own changes into
# systemctl edit $NAME
[Unit]
Description=Linekeeper agent
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
User=$user
ExecStart=/bin/sh /opt/$NAME/start
KillSignal=SIGTERM
KillMode=mixed
TimeoutStopSec=20
Restart=on-failure
RestartSec=2
Environment=NODE_ENV=production
StateDirectory=$NAME
StateDirectoryMode=0711
UMask=0077
LimitNOFILE=65536
ReadWritePaths=-/var/lib/$NAME${OSCAM_DIR:+ -$OSCAM_DIR}
# Memory for the Node that is unpacked at the start.
TemporaryFileSystem=/run/$NAME:mode=1777,size=256M

# No MemoryDenyWriteExecute: Node compiles while it runs.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=$protect_home
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
UNIT
}

# Without systemd: a loop that starts the agent again when it ends.
write_keeper() {
  cat >"$work/new/keeper" <<KEEPER
#!/bin/sh
# Keeps the Linekeeper agent running on a machine without systemd: start, stop or run.
here=/opt/$NAME
pid_file=/var/lib/$NAME.pid
stop() {
  [ -f "\$pid_file" ] || return 0
  pid=\$(cat "\$pid_file")
  rm -f "\$pid_file"
  kill "\$pid" 2>/dev/null || return 0
  tries=0
  while kill -0 "\$pid" 2>/dev/null && [ "\$tries" -lt 20 ]; do sleep 1; tries=\$((tries + 1)); done
}
run() {
  trap '[ -z "\${child:-}" ] || kill "\$child"; wait; exit 0' TERM INT
  while :; do
    su -s /bin/sh -c "exec /bin/sh \$here/start" '$user' &
    child=\$!
    wait "\$child" || true
    sleep 2 & wait \$!
  done
}
case \${1:-} in
  start) stop; setsid "\$here/keeper" run >>/var/log/$NAME.log 2>&1 </dev/null & echo \$! >"\$pid_file" ;;
  stop) stop ;;
  run) echo \$\$ >"\$pid_file"; run ;;
  *) echo "Usage: keeper start|stop" >&2; exit 1 ;;
esac
KEEPER
  chmod 755 "$work/new/keeper"
}

start_agent() {
  [ -z "$DESTDIR" ] || return 0
  if has_systemd; then
    systemctl daemon-reload
    systemctl enable --quiet $NAME
    systemctl restart $NAME
  else
    "$HOME_DIR/keeper" start
  fi
}
stop_agent() {
  [ -z "$DESTDIR" ] || return 0
  if has_systemd; then systemctl stop $NAME 2>/dev/null || true
  elif [ -x "$HOME_DIR/keeper" ]; then "$HOME_DIR/keeper" stop
  fi
}

answers() {
  host=127.0.0.1
  ! grep -q '^AGENT_HOST=::1$' "$SETTINGS" || host='[::1]'
  port=$(sed -n 's/^AGENT_PORT=//p' "$SETTINGS" | tail -n 1)
  address="http://$host:${port:-3000}/health"
  if has curl; then curl -fsS -m 3 -o /dev/null "$address" 2>/dev/null
  else wget -q -T 3 -O /dev/null "$address" 2>/dev/null
  fi
}
wait_for_agent() { [ -n "$DESTDIR" ] || wait_for $NAME 30 answers; }

put_in_place() {
  if [ -d "$HOME_DIR" ]; then
    rm -rf "$HOME_DIR.before"
    mv "$HOME_DIR" "$HOME_DIR.before"
    on_failure "rm -rf '$HOME_DIR'; mv '$HOME_DIR.before' '$HOME_DIR'; start_agent"
  else
    on_failure "stop_agent; rm -rf '$HOME_DIR'"
    mkdir -p "$(dirname "$HOME_DIR")"
  fi
  printf '%s\n' "$VERSION" >"$work/new/version"
  printf "PANEL='%s'\nOSCAM_DIR='%s'\nCCCAM_CFG='%s'\n" "$PANEL" "$OSCAM_DIR" "$CCCAM_CFG" >"$work/new/places"
  cp -R "$work/new" "$HOME_DIR"
  chmod 755 "$HOME_DIR"
  own -R root:root "$HOME_DIR"
}

announce() {
  say "Linekeeper agent $VERSION for $PANEL. These changes will be made on this machine:"
  step "Program in /opt/$NAME, at most 50 MB$([ -n "$own_node" ] && printf ', run with %s' "$own_node")"
  step "Records in /var/lib/$NAME, settings in /etc/$NAME.env, run by the user $user"
  if [ -n "$OSCAM_DIR" ]; then
    step "OSCam: accounts in $OSCAM_DIR/oscam.user. Rows written by hand are not changed"
    [ "$user" != $NAME ] || [ -n "$DESTDIR" ] || step "The group $NAME gets write permission in $OSCAM_DIR"
  fi
  [ -z "$CCCAM_CFG" ] || step "CCcam: $CCCAM_CFG becomes a link to the agent's copy. Rows written by hand are not changed"
  if [ -z "$OSCAM_DIR$CCCAM_CFG" ]; then
    step "Neither OSCam nor CCcam was found. Set OSCAM_DIR or CCCAM_CFG, or let your card server read"
    step "/var/lib/$NAME/oscam.user or CCcam.cfg"
  fi
  if has_systemd; then step "Service $NAME, started now and at boot"
  elif [ -z "$DESTDIR" ]; then step 'Without systemd, the agent is started now. To start it at boot, add the line that is shown at the end'
  fi
}

install_agent() {
  machine_node
  find_card_server
  refuse_other_machine
  choose_user
  OSCAM_DIR_HERE=${OSCAM_DIR:+$DESTDIR$OSCAM_DIR}
  CCCAM_CFG_HERE=${CCCAM_CFG:+$DESTDIR$CCCAM_CFG}
  announce
  say ''
  fetch_files
  write_start
  write_keeper
  make_user
  make_folders
  link_oscam
  link_cccam
  write_settings
  [ -z "$KEY" ] || first_call
  protect_settings
  put_in_place
  if has_systemd || [ -n "$DESTDIR" ]; then write_unit; fi
  step 'Starting the agent'
  start_agent
  wait_for_agent
  # From here on the agent works on this machine, so that nothing is rolled back.
  undo=''
  rm -rf "$HOME_DIR.before"
  say ''
  if [ -n "$KEY" ] && [ -z "$DESTDIR" ]; then call_back; else say "Done. The agent is now version $VERSION."; fi
  say_if_not_allowed
  if [ -z "$DESTDIR" ] && ! has_systemd; then
    say 'To start it at boot, add this line to /etc/rc.local, or to crontab -e with @reboot before it:'
    step "/opt/$NAME/keeper start"
  fi
}

call_back() {
  port=$(sed -n 's/^AGENT_PORT=//p' "$SETTINGS" | tail -n 1)
  if said=$(KEY=$KEY PANEL=$PANEL NODE_OPTIONS=$(node_options) "$node" "$HOME_DIR/linekeeper-agent.mjs" call-back - 2>&1); then
    if [ -z "$said" ]; then
      say 'Done. The panel has reached this agent. Continue in the panel.'
    else
      say "Done on this machine. The panel has reached this agent. An administrator now has to confirm the address $said"
      say "in the panel, on the page with the command. Until then, no lines are sent here."
    fi
  else
    say "The agent runs, but the panel cannot reach it on port $port: $said"
    say "Allow port $port for the panel's address in the firewall, then choose Retry in the panel."
  fi
}

# --- Removing ----------------------------------------------------------------------------------------------------

remove_agent() {
  [ -d "$HOME_DIR" ] || [ -f "$SETTINGS" ] || [ -f "$MADE" ] || fail 'No Linekeeper agent is installed on this machine.'
  user=$(stat -c %U "$DATA_DIR" 2>/dev/null || printf '%s' $NAME)
  say 'The Linekeeper agent will be removed from this machine. The files of the card server are kept, with all their rows.'
  stop_agent
  if has_systemd; then systemctl disable --quiet $NAME 2>/dev/null || true; fi
  if [ -f "$MADE" ]; then
    # The list is read backwards: a folder was noted after the file in it, and its rights are
    # restored before those of the file.
    for path in $(sed '1!G;h;$!d' "$MADE" | cut -d ' ' -f 4); do
      step "Restoring $path"
      put_back "$path" || fail "Could not restore $path: $DATA_DIR/CCcam.cfg cannot be read."
    done
  fi
  rm -rf "$HOME_DIR" "$SETTINGS" "$UNIT"
  [ ! -L "$DATA_DIR/oscam.user" ] || rm -f "$DATA_DIR/oscam.user"
  if has_systemd; then systemctl daemon-reload; fi
  say "Done. The records in /var/lib/$NAME and the user $user are kept. Without them, an agent installed later would not"
  say 'recognise its rows.'
}

# The whole script is read before its first command is run, even if the connection breaks.
main() {
  begin
  unpacked=''
  action=''
  while [ $# -gt 0 ]; do
    case $1 in
      --remove) action=remove what=Removal ;;
      --given) shift; . "$1" ;;
      -*) fail "Unknown option: $1" ;;
      *) KEY=$1 ;;
    esac
    shift
  done
  become_root ${action:+--$action}
  if [ "$action" = remove ]; then
    remove_agent
  elif [ -n "$KEY" ] || [ -f "$SETTINGS" ]; then
    install_agent
  else
    fail 'The key is missing. Copy the whole command from the “Add server” page of the panel.'
  fi
}

main "$@"
