#!/usr/bin/env bash
# Run a command on a virtual display of its own: scripts/headless.sh COMMAND [ARGUMENT...]
# Xvfb and openbox live as long as the command; its exit code is ours. Without Xvfb the command runs
# on Qt's offscreen platform, which draws the same window but has no window manager.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: scripts/headless.sh COMMAND [ARGUMENT...]" >&2; exit 2; }
say() { printf '[display] %s\n' "$*" >&2; }
[ -e /dev/fd/0 ] || exec </dev/null # started without a standard input

unset WAYLAND_DISPLAY
if ! command -v Xvfb >/dev/null; then
  say "no Xvfb here: drawing offscreen"
  unset DISPLAY
  export QT_QPA_PLATFORM=offscreen
  exec "$@"
fi

work=$(mktemp -d "${TMPDIR:-/tmp}/display.XXXXXX")
xvfb='' openbox='' command=''
cleanup() {
  trap - EXIT
  for pid in $command $openbox $xvfb; do
    kill -TERM -- "-$pid" 2>/dev/null || continue
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap cleanup EXIT
# Before the command runs a signal ends us; while it runs it gets the signal and we wait for it.
trap 'exit 143' TERM
trap 'exit 130' INT
# Each child in a group of its own: Ctrl+C must reach the command before the display goes away.
set -m
# Where we are killed outright the system takes the display down with us.
tied=(setpriv --pdeathsig TERM)
"${tied[@]}" true 2>/dev/null || tied=(env)

access=()
if command -v xauth >/dev/null; then
  export XAUTHORITY=$work/cookie
  : >"$XAUTHORITY"
  # The server compares the cookie alone, so it may be filed before the number is known.
  cookie=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  xauth -q -f "$XAUTHORITY" add :0 . "$cookie"
  access=(-auth "$XAUTHORITY")
fi

mkfifo "$work/number" "$work/ready"
"${tied[@]}" Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset \
  ${access[@]+"${access[@]}"} 3>"$work/number" >"$work/xvfb.log" 2>&1 &
xvfb=$!
number=
read -r -t 30 number <"$work/number" || true
if [ -z "$number" ]; then
  say "Xvfb did not start:"
  cat "$work/xvfb.log" >&2
  exit 1
fi
export DISPLAY=:$number QT_QPA_PLATFORM=xcb
[ ${#access[@]} = 0 ] || xauth -q -f "$XAUTHORITY" add ":$number" . "$cookie"

if command -v openbox >/dev/null; then
  # A home of its own: the user's keys and rules must not change what is tested.
  HOME=$work XDG_CONFIG_HOME=$work XDG_CACHE_HOME=$work "${tied[@]}" openbox --sm-disable \
    --startup "sh -c 'echo ready >$work/ready'" >"$work/openbox.log" 2>&1 &
  openbox=$!
  exec 4<>"$work/ready"
  read -r -t 30 _ <&4 || { say "openbox did not start:"; cat "$work/openbox.log" >&2; exit 1; }
  exec 4<&-
fi

"$@" <&0 &
command=$!
set +m
trap 'kill -TERM -- "-$command" 2>/dev/null' TERM
trap 'kill -INT -- "-$command" 2>/dev/null' INT
code=0
wait "$command" || code=$?
# A trapped signal ends the wait early; go on until the command is gone.
while kill -0 "$command" 2>/dev/null; do
  code=0
  wait "$command" || code=$?
done
exit "$code"
