#!/usr/bin/env bash
# Set-up on a fresh machine, safe to repeat: system libraries, .venv, packages, starter model.
#   scripts/bootstrap.sh           what the program needs
#   scripts/bootstrap.sh --tests   also insist on the virtual display that the tests need
# PYTHON=/path/to/python3 chooses the interpreter. NO_APT=1 never installs system packages.
# Exit: 0 ready, 3 something only you can install is missing, other: a step failed and said why.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$(pwd -P)
unset PYTHONHOME PYTHONPATH VIRTUAL_ENV
PATH=$PATH:/usr/sbin:/sbin
say() { printf '[setup] %s\n' "$*" >&2; }
fail() { local code=$1; shift; say "$@"; exit "$code"; }

tests=0
case "${1:-}" in
  '') ;;
  --tests) tests=1 ;;
  *) fail 2 "usage: scripts/bootstrap.sh [--tests]" ;;
esac

# soname=Debian package. Sonames are tested, for later releases rename packages (libglib2.0-0t64).
libraries='
  libEGL.so.1=libegl1 libGL.so.1=libgl1 libglib-2.0.so.0=libglib2.0-0 libdbus-1.so.3=libdbus-1-3
  libfontconfig.so.1=libfontconfig1 libfreetype.so.6=libfreetype6 libbrotlidec.so.1=libbrotli1
  libxkbcommon.so.0=libxkbcommon0 libxkbcommon-x11.so.0=libxkbcommon-x11-0 libX11.so.6=libx11-6
  libX11-xcb.so.1=libx11-xcb1 libxcb.so.1=libxcb1 libxcb-cursor.so.0=libxcb-cursor0
  libxcb-icccm.so.4=libxcb-icccm4 libxcb-image.so.0=libxcb-image0
  libxcb-keysyms.so.1=libxcb-keysyms1 libxcb-randr.so.0=libxcb-randr0
  libxcb-render.so.0=libxcb-render0 libxcb-render-util.so.0=libxcb-render-util0
  libxcb-shape.so.0=libxcb-shape0 libxcb-shm.so.0=libxcb-shm0 libxcb-sync.so.1=libxcb-sync1
  libxcb-util.so.1=libxcb-util1 libxcb-xfixes.so.0=libxcb-xfixes0 libxcb-xkb.so.1=libxcb-xkb1
  libwayland-client.so.0=libwayland-client0 libwayland-cursor.so.0=libwayland-cursor0
  libwayland-egl.so.1=libwayland-egl1 libgomp.so.1=libgomp1 libstdc++.so.6=libstdc++6'
# The virtual display: make run where there is no other, and make test always.
tools='Xvfb=xvfb openbox=openbox xauth=xauth xdotool=xdotool'

runs() { # runs PYTHON: a shim can exist on PATH and still fail, so each candidate is run
  "$1" -c 'import sys
ok = (3, 11) <= sys.version_info[:2] < (3, 14) and sys.maxsize > 2**32
sys.exit(not (ok and sys.implementation.name == "cpython"))' >/dev/null 2>&1 </dev/null
}
with_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1 </dev/null; }
candidates() {
  if [ -n "${PYTHON:-}" ]; then echo "$PYTHON"; return; fi
  # The one .venv was made with comes first, or a changed PATH would rebuild it.
  cat .venv/.python 2>/dev/null || true
  printf '%s\n' python3 python3.13 python3.12 python3.11 /usr/bin/python3
}
choose_python() { # prints the interpreter; fails where none is fit
  local name
  while IFS= read -r name; do
    # An activated .venv is no base for itself.
    case "$(command -v "$name" || true)" in "$root"/.venv/*) continue ;; esac
    if runs "$name" && with_venv "$name"; then command -v "$name"; return; fi
  done < <(candidates)
  return 1
}
python_package() { # prints the Debian package that brings the missing part
  local name
  while IFS= read -r name; do
    if runs "$name"; then
      "$name" -c 'import sys; print("python3.%d-venv" % sys.version_info[1])'
      return
    fi
  done < <(candidates)
  echo python3-venv
}

missing_libraries() { # prints sonames that the loader does not know, each with its package
  [ "$(uname -s)" = Linux ] || return 0
  local known arch=x86-64 pair
  [ "$(uname -m)" = x86_64 ] || arch='AArch64'
  known=$(ldconfig -p 2>/dev/null | grep "$arch" | awk '{print $1}' || true)
  for pair in $libraries; do
    grep -qxF "${pair%%=*}" <<<"$known" || echo "$pair"
  done
}
missing_tools() {
  [ "$(uname -s)" = Linux ] || return 0
  local pair
  for pair in $tools; do
    command -v "${pair%%=*}" >/dev/null || echo "$pair"
  done
  find /usr/share/fonts /usr/local/share/fonts "${HOME:-/root}/.local/share/fonts" \
    -name '*.[to]tf' -print -quit 2>/dev/null | grep -q . || echo a_font=fonts-dejavu-core
  # Tests of a model split between processor and card need a card; this one is software.
  [ $tests = 0 ] || find /usr/share/vulkan/icd.d -name 'lvp_icd*' -print -quit 2>/dev/null |
    grep -q . || echo a_device=mesa-vulkan-drivers
}

quietly() { # quietly COMMAND...: its output is shown only where it fails
  local code=0
  "$@" >"$log" 2>&1 </dev/null || code=$?
  [ $code = 0 ] || tail -n 30 "$log" >&2
  return $code
}

install_system() { # install_system PACKAGE...
  say "installing system packages: $*"
  export DEBIAN_FRONTEND=noninteractive
  local apt=(apt-get -y -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120)
  quietly "${apt[@]}" update && quietly "${apt[@]}" install --no-install-recommends "$@"
}

system() { # everything that is not Python's
  local must may pairs packages
  must=$(missing_libraries)
  may=$(missing_tools)
  [ -z "${PYTHON:-}" ] || runs "$PYTHON" || fail 3 "PYTHON=$PYTHON is no CPython 3.11 to 3.13"
  choose_python >/dev/null || must="$must python=$(python_package)"
  pairs=$(echo $must $may)
  [ -n "$pairs" ] || return 0
  packages=$(for pair in $pairs; do echo "${pair#*=}"; done | sort -u | tr '\n' ' ')
  # The display's tools are a comfort for the window and a must for the tests.
  local optional=
  [ -n "$(echo $must)" ] || [ $tests = 1 ] || optional=1
  if ! command -v apt-get >/dev/null; then
    say "not found on this system: $(for pair in $pairs; do printf '%s ' "${pair%%=*}"; done)"
    say "install what provides them with your system's package tool"
  elif [ "$(id -u)" = 0 ] && [ -z "${NO_APT:-}" ]; then
    install_system $packages && return 0
    [ -n "$optional" ] || fail 4 "apt-get failed (above); is there a network?"
    say "going on without a virtual display"
  else
    say "${optional:+optional, for a virtual display: }system packages are missing; run"
    say "  sudo apt-get update && sudo apt-get install --no-install-recommends $packages"
    say "and then the same command again"
  fi
  [ -n "$optional" ] || exit 3
}

stamp() { # what the state of .venv depends on
  {
    echo "$root ${HOME:-} ${XDG_CACHE_HOME:-}"
    cat .venv/.python
    cat pyproject.toml constraints.txt scripts/bootstrap.sh scripts/starter.py
    ls -d ./*/__init__.py
  } | cksum
}
starter_is_placed() { # its path, size and time are as they were when its SHA-256 was checked
  local path
  path=$(head -n 1 .venv/.starter 2>/dev/null) || return 1
  [ -n "$path" ] && [ "$(ls -ln "$path" 2>/dev/null)" = "$(tail -n 1 .venv/.starter)" ]
}
is_ready() {
  # Asked for another interpreter than the one .venv was made with?
  [ -z "${PYTHON:-}" ] || [ "$(choose_python)" = "$(cat .venv/.python 2>/dev/null)" ] || return 1
  [ "$(cat .venv/.stamp 2>/dev/null || true)" = "$(stamp 2>/dev/null)" ] &&
    .venv/bin/python -c '' 2>/dev/null && starter_is_placed
}

venv_is_here() { # false where its python is gone or too old, or the folder was moved
  runs .venv/bin/python && .venv/bin/python -c 'import pip' 2>/dev/null || return 1
  case "$(grep '^command = ' .venv/pyvenv.cfg)" in *" $root/.venv") ;; *) return 1 ;; esac
}
make_venv() {
  local python
  python=$(choose_python) ||
    fail 3 "no CPython 3.11, 3.12 or 3.13 with venv was found"
  venv_is_here || rm -rf .venv
  # Another interpreter was asked for than the one .venv has.
  [ -z "${PYTHON:-}" ] || [ "$(.venv/bin/python -V 2>&1)" = "$("$python" -V)" ] || rm -rf .venv
  if [ ! -d .venv ]; then
    say "making .venv with $("$python" -V) ($python)"
    "$python" -m venv "$root/.venv" || { rm -rf .venv; fail 5 "python could not make .venv"; }
  fi
  echo "$python" >.venv/.python
}

packages() {
  local pip=(.venv/bin/python -m pip -q install --progress-bar off -c constraints.txt)
  export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PIP_NO_INPUT=1 PIP_USER=0
  say "installing Python packages (about 400 MB the first time)"
  # constraints.txt does not reach an isolated build, so the build's tools are pinned here.
  quietly "${pip[@]}" --only-binary :all: -U pip setuptools &&
    quietly "${pip[@]}" --only-binary :all: --no-build-isolation -e '.[dev]' ||
    fail 5 "pip failed (above); is there a network?"
}

starter() {
  local path
  say "placing the starter model (95 MB the first time)"
  quietly .venv/bin/python scripts/starter.py || fail 6 "the starter model is missing (above)"
  path=$(tail -n 1 "$log")
  { echo "$path"; ls -ln "$path"; } >.venv/.starter
}

check_window() { # Qt names the wrong library when one is missing; the loader names the right one
  local plugins lost
  [ "$(uname -s)" = Linux ] || return 0
  plugins=$(.venv/bin/python -c 'import PySide6, pathlib
print(pathlib.Path(PySide6.__file__).parent / "Qt" / "plugins" / "platforms")')
  lost=$(ldd "$plugins"/libqxcb.so "$plugins"/libqoffscreen.so | awk '/not found/ {print $1}')
  [ -z "$lost" ] || fail 3 "Qt needs libraries that are not there: $(echo $lost)"
}

: 2>/dev/null >>.setup-lock || fail 7 "this folder cannot be written: $root"
exec 9>>.setup-lock
if command -v flock >/dev/null && ! flock -n 9; then
  say "another set-up is running here; waiting for it"
  flock 9
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
system
if is_ready; then exit 0; fi
started=$SECONDS
make_venv
rm -f .venv/.stamp
packages
check_window
starter
stamp >.venv/.stamp
say "ready after $((SECONDS - started)) s"
