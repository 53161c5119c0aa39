#!/bin/sh
# Prints a token for the gateway on standard output, and nothing else there. Signs in through the browser when needed.
# Options: --verbose, --cacert FILE, --force (ignore the kept token), --forget (delete it and end),
# --get PATH (print what the gateway answers there to the kept token).
set -u
umask 077

GATEWAY='@BASE_URL@'
MARGIN_SECONDS=900
STALE_SECONDS=330

# For the client's model picker. A child cannot change its parent, so the setup script also writes them into the settings.
export CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY=1
export CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY=1

verbose=no
force=no
forget=no
get=
cacert=${CAUSEWAY_CACERT:-}
while [ $# -gt 0 ]; do
  case $1 in
    --verbose) verbose=yes ;;
    --force) force=yes ;;
    --forget) forget=yes ;;
    --cacert | --get)
      [ $# -ge 2 ] || { printf 'causeway: %s needs a value\n' "$1" >&2; exit 2; }
      if [ "$1" = --get ]; then get=$2; else cacert=$2; fi
      shift
      ;;
    *) printf 'causeway: unknown option %s\n' "$1" >&2; exit 2 ;;
  esac
  shift
done

say() { printf '%s\n' "causeway: $*" >&2; }
talk() { [ "$verbose" = yes ] && say "$*"; return 0; }
fail() { say "$*"; exit 1; }
now() { date +%s; }

case $GATEWAY in
  https://*) ;;
  http://localhost | http://localhost:* | http://127.* | 'http://[::1]' | 'http://[::1]':*) ;;
  *) fail "$GATEWAY is not https; a token is never sent over an open line except on this machine." ;;
esac

folder=${CAUSEWAY_CACHE_DIR:-${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/causeway}
name=$(printf '%s' "$GATEWAY" | tr -c 'A-Za-z0-9.-' '_')
kept=$folder/$name.token
asked=$folder/$name.asked
lock=$folder/$name.lock
mkdir -p "$folder" || fail "cannot make $folder"
chmod 700 "$folder" 2>/dev/null

if [ "$forget" = yes ]; then
  rm -f "$kept" "$asked"
  exit 0
fi

# The address and the credential go in through standard input: the list of processes is for everybody to read.
call_curl() {
  {
    printf 'url = "%s"\n' "$GATEWAY$1"
    [ -n "$2" ] && printf 'header = "authorization: Bearer %s"\n' "$2"
    [ -n "$3" ] && printf 'cacert = "%s"\n' "$3"
  } | curl -q -s --config - --connect-timeout 10 --max-time 30 -H 'user-agent: causeway-helper' -w '\n%{http_code}' 2>/dev/null
}

# Others, such as that of BusyBox, take a credential as an argument only, and may look at no certificate.
is_gnu_wget() {
  case $(wget --version 2>/dev/null) in GNU*) return 0 ;; esac
  return 1
}

# $1 path, $2 token or nothing. Sets status and body; status 000 and trouble when there was no answer.
call() {
  trouble=
  if command -v curl >/dev/null 2>&1; then
    answer=$(call_curl "$1" "${2:-}" "$cacert")
    code=$?
    # 60: the certificate is signed by somebody this machine does not know. The client trusts this file too.
    if [ $code -eq 60 ] && [ -z "$cacert" ] && [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
      answer=$(call_curl "$1" "${2:-}" "$NODE_EXTRA_CA_CERTS")
      code=$?
    fi
    status=${answer##*
}
    body=${answer%
*}
    case $code in
      0) ;;
      60 | 77) trouble="the certificate of $GATEWAY cannot be verified. Give the file of your authority with --cacert or NODE_EXTRA_CA_CERTS." ;;
      *) trouble="$GATEWAY cannot be reached (curl error $code)." ;;
    esac
  elif is_gnu_wget; then
    # Where there is no curl. The credential stands in a file of ours, and the status comes among the headers.
    said=$folder/$name.said.$$
    with=$folder/$name.with.$$
    printf '%s\n' "${2:+header = authorization: Bearer $2}" >"$with"
    body=$(printf '%s\n' "$GATEWAY$1" | wget --config="$with" -q -S -O - -i - ${cacert:+--ca-certificate="$cacert"} 2>"$said")
    status=$(sed -n 's/.*HTTP\/[0-9.]* \([0-9][0-9][0-9]\).*/\1/p' "$said" | sed -n '$p')
    rm -f "$said" "$with"
    [ -n "$status" ] || trouble="$GATEWAY cannot be reached, or its certificate cannot be verified (wget)."
  else
    trouble='curl is not installed, nor GNU wget: install one of them.'
  fi
  if [ -n "$trouble" ]; then status=000; fi
}

# One text field of a flat JSON answer of the gateway, which writes it on one line without spaces.
field() { printf '%s' "$body" | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
number() { printf '%s' "$body" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }

# Sets token when a kept one is good for a while.
read_kept() {
  token=
  [ -f "$kept" ] || return 1
  { read -r until && read -r token; } <"$kept" || return 1
  case $until in '' | *[!0-9]*) return 1 ;; esac
  [ -n "$token" ] && [ $((until - MARGIN_SECONDS)) -gt "$(now)" ]
}

# The client keeps what we print for 14 minutes. Asked again sooner, its last try has probably been refused.
is_still_good() {
  last=0
  [ -f "$asked" ] && read -r last <"$asked"
  case $last in '' | *[!0-9]*) last=0 ;; esac
  [ $(($(now) - last)) -gt 300 ] && return 0
  talk 'asked again soon; checking the kept token'
  call /auth/me "$token"
  case $status in 401 | 403) refused=$token; return 1 ;; esac
  return 0
}
refused=

finish() {
  now >"$asked.$$" && mv -f "$asked.$$" "$asked"
  printf '%s\n' "$1"
  exit 0
}

keep() {
  printf '%s\n%s\n' "$1" "$2" >"$kept.$$" && mv -f "$kept.$$" "$kept"
}

if [ -n "$get" ]; then
  read_kept || token=
  call "$get" "$token"
  [ "$status" = 200 ] || fail "${trouble:-the gateway answered $status.}"
  printf '%s\n' "$body"
  exit 0
fi

if [ "$force" = no ] && read_kept && is_still_good; then
  talk 'using the kept token'
  finish "$token"
fi

# One sign-in at a time: the others wait for its token. A lock whose owner is gone, or that is too old, is taken over.
take_lock() {
  while ! mkdir "$lock" 2>/dev/null; do
    owner=
    since=
    [ -f "$lock/owner" ] && read -r owner since <"$lock/owner"
    case $owner$since in
      '' | *[!0-9]*)
        # Just made, or left without an owner: give it a moment, then it is nobody's.
        nameless=$((${nameless:-0} + 1))
        [ "$nameless" -gt 5 ] && rm -rf "$lock"
        ;;
      *)
        nameless=0
        if ! kill -0 "$owner" 2>/dev/null || [ $(($(now) - since)) -gt $STALE_SECONDS ]; then
          talk 'taking over a lock that was left behind'
          rm -rf "$lock"
          continue
        fi
        ;;
    esac
    talk 'another sign-in is open; waiting for it'
    sleep 1
    # The one that was refused lies there until the other sign-in is done.
    if [ "$force" = no ] && read_kept && [ "$token" != "$refused" ]; then finish "$token"; fi
  done
  printf '%s %s\n' $$ "$(now)" >"$lock/owner"
}

drop_lock() { rm -rf "$lock"; }

take_lock
trap drop_lock EXIT
trap 'drop_lock; exit 130' INT
trap 'drop_lock; exit 143' TERM HUP
if [ "$force" = no ] && read_kept && is_still_good; then finish "$token"; fi

call /auth/cli/login
[ "$status" = 200 ] || fail "${trouble:-the gateway does not offer a sign-in now (status $status).}"
session_code=$(field session_code)
user_code=$(field user_code)
address=$(field verification_url)
interval=$(number interval)
lifetime=$(number expires_in)
[ -n "$session_code" ] && [ -n "$address" ] || fail 'the answer of the gateway cannot be read.'

say "Sign in at  $address"
say "and check that the page shows  $user_code"

# Over SSH, in a container or without a screen a browser would open where nobody sees it, or not at all.
open_browser() {
  [ "${CAUSEWAY_BROWSER:-}" = none ] && return 1
  if [ -n "${CAUSEWAY_BROWSER:-}" ]; then
    "$CAUSEWAY_BROWSER" "$1" >/dev/null 2>&1 </dev/null &
    return 0
  fi
  [ -n "${SSH_CONNECTION:-}${SSH_TTY:-}" ] && return 1
  [ -e /.dockerenv ] || [ -e /run/.containerenv ] && return 1
  case $(uname -s) in
    Darwin) open "$1" >/dev/null 2>&1 </dev/null & return 0 ;;
  esac
  if command -v wslview >/dev/null 2>&1; then
    wslview "$1" >/dev/null 2>&1 </dev/null & return 0
  fi
  [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || return 1
  command -v xdg-open >/dev/null 2>&1 || return 1
  xdg-open "$1" >/dev/null 2>&1 </dev/null &
}
open_browser "$address" || say 'No browser was opened here: open the address on any machine.'

deadline=$(($(now) + ${lifetime:-300}))
while [ "$(now)" -lt "$deadline" ]; do
  sleep "${interval:-2}"
  call "/auth/cli/poll?session_code=$session_code"
  case $status in
    200)
      token=$(field token)
      expires_in=$(number expires_in)
      [ -n "$token" ] || fail 'the answer of the gateway cannot be read.'
      keep $(($(now) + ${expires_in:-3600})) "$token"
      talk 'signed in'
      finish "$token"
      ;;
    202) ;;
    410) fail 'the sign-in was refused or took too long. Run this again.' ;;
    403) fail 'this account may not sign in. Ask an administrator.' ;;
    404) fail 'the gateway does not know this sign-in any more. Run this again.' ;;
    *) talk "${trouble:-the gateway answered $status}; trying again" ;;
  esac
done
fail 'nobody confirmed the sign-in in time. Run this again.'
