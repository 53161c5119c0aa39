#!/bin/sh
# Connects the coding client on this machine to the gateway: signs in, writes the client's settings, checks the result.
#   curl -fsSL @BASE_URL@/auth/setup | sh
#   curl -fsSL @BASE_URL@/auth/setup | sh -s -- --remove
# Zsh splits no words and has traps of its own unless it is asked to be like the others.
if [ -n "${ZSH_VERSION:-}" ]; then emulate sh; fi
set -u
umask 077

GATEWAY='@BASE_URL@'
WEB_SEARCH='@WEB_SEARCH@'
HELPER_TTL_MS=840000
OPTIONS='Options: --remove, --yes, --dry-run, --no-login, --no-test, --key (use the virtual key in CAUSEWAY_KEY instead of signing in).'

line() { printf '%-12s %s\n' "$1" "$2"; }
more() { printf '%-12s %s\n' '' "$1"; }
fail() { printf 'causeway: %s\n' "$*" >&2; exit 1; }

# Questions go to the terminal, because standard input is this script. Without a terminal the answer is the safe one.
ask() {
  [ "$yes" = yes ] && return 0
  # In a shell of its own: a redirection that fails would end this one.
  if ! (: </dev/tty) 2>/dev/null; then
    more 'No terminal to ask on: left as it is. Run again with --yes to change it.'
    return 1
  fi
  printf '%-12s %s [y/N] ' '' "$1" >/dev/tty
  read -r reply </dev/tty || reply=n
  case $reply in [yY]*) return 0 ;; esac
  return 1
}

# $1 file, $2 operation, $3 and $4 path, $5 value. Prints the file as it is afterwards; see the program for exit codes.
edit() {
  { cat "$1" && printf x; } | LC_ALL=C OP=$2 K1=${3:-} K2=${4:-} V=${5:-} awk -f "$work/edit.awk"
}

# Like edit, in place.
apply() {
  edit "$@" >"$1.new" && mv -f "$1.new" "$1"
}

json_string() { printf '"%s"' "$(printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g')"; }
shell_word() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }

OWN_ENV='ANTHROPIC_BASE_URL ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_API_KEY_HELPER_TTL_MS CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY'
# These send the client elsewhere, or outrank what is set here.
RIVAL_ENV='ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN CLAUDE_CODE_USE_BEDROCK CLAUDE_CODE_USE_VERTEX CLAUDE_CODE_USE_FOUNDRY'

# $1 the settings without ours; afterwards with ours.
add_ours() {
  apply "$1" set env ANTHROPIC_BASE_URL "$(json_string "$GATEWAY")" || return 1
  if [ "$mode" = key ]; then
    apply "$1" set env ANTHROPIC_AUTH_TOKEN "$(json_string "$CAUSEWAY_KEY")" || return 1
  else
    apply "$1" set apiKeyHelper '' "$(json_string "$(shell_word "$helper")")" || return 1
    apply "$1" set env CLAUDE_CODE_API_KEY_HELPER_TTL_MS "\"$HELPER_TTL_MS\"" || return 1
  fi
  apply "$1" set env CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY '"1"' || return 1
  apply "$1" set env CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY '"1"' || return 1
  if [ "$WEB_SEARCH" = disabled ]; then
    apply "$1" add permissions deny '"WebSearch"' || return 1
  fi
  return 0
}

# One value back to what it was before the setup, unless somebody has changed it since.
put_back() {
  now_value=$(edit "$1" get "$2" "$3"; printf '%s' "$?")
  set_value=$(edit "$own/after" get "$2" "$3"; printf '%s' "$?")
  [ "$now_value" = "$set_value" ] || return 0
  if old_value=$(edit "$base" get "$2" "$3"); then
    apply "$1" set "$2" "$3" "$old_value"
  elif edit "$1" get "$2" "$3" >/dev/null; then
    apply "$1" delete "$2" "$3"
  fi
}

# An object or list that only the setup had needed goes with its last member.
prune() {
  edit "$base" get "$2" "$3" >/dev/null || ! edit "$1" empty "$2" "$3" || apply "$1" delete "$2" "$3"
}

# $1 the settings as they are now; afterwards without ours.
take_ours_out() {
  base=$own/before
  [ -f "$own/absent" ] || is_blank "$base" && { base=$work/base; printf '{}\n' >"$base"; }
  put_back "$1" apiKeyHelper ''
  for variable in $OWN_ENV $RIVAL_ENV; do put_back "$1" env "$variable"; done
  prune "$1" env ''
  if ! edit "$base" has permissions deny '"WebSearch"' && edit "$own/after" has permissions deny '"WebSearch"'; then
    edit "$1" has permissions deny '"WebSearch"' && apply "$1" remove permissions deny '"WebSearch"'
    prune "$1" permissions deny
    prune "$1" permissions ''
  fi
}

is_blank() { ! LC_ALL=C grep -q '[^[:space:]]' "$1" 2>/dev/null; }

# Leaves in $work/clean what the settings would be had the setup never run; `missing` says that there would be no file.
find_clean() {
  missing=no
  if [ ! -f "$own/after" ]; then
    if [ -f "$settings" ]; then cat "$settings" >"$work/clean"; else missing=yes; fi
  elif [ -f "$settings" ] && cmp -s "$settings" "$own/after"; then
    if [ -f "$own/absent" ]; then missing=yes; else cat "$own/before" >"$work/clean"; fi
  elif [ -f "$settings" ]; then
    cat "$settings" >"$work/clean"
    edit "$work/clean" check || return 1
    take_ours_out "$work/clean"
  else
    missing=yes
  fi
  if [ "$missing" = yes ]; then printf '{}\n' >"$work/clean"; fi
  return 0
}

# Over a copy, so that owner and mode stay; through a link, so that the link stays.
write_settings() {
  target=$settings
  while [ -L "$target" ]; do
    link=$(readlink "$target")
    case $link in /*) target=$link ;; *) target=$(dirname "$target")/$link ;; esac
  done
  mkdir -p "$(dirname "$target")" || return 1
  if [ -f "$target" ]; then cp -p "$target" "$target.causeway-new" || return 1; fi
  cat "$1" >"$target.causeway-new" && mv -f "$target.causeway-new" "$target"
}

# Hidden before they are compared: a line alone does not tell what its values are.
show_change() {
  if command -v diff >/dev/null 2>&1; then
    edit "$1" hide >"$work/shown-before" && edit "$2" hide >"$work/shown-after" || return 0
    # The one form that every diff has; its first two lines name the files.
    diff -U 0 "$work/shown-before" "$work/shown-after" | sed -n '1,2d; s/^[-+]/             & /p'
  fi
}

shell_files() {
  for file in .zshrc .zshenv .zprofile .bashrc .bash_profile .profile; do
    [ -f "$HOME/$file" ] && printf '%s\n' "$HOME/$file"
  done
}

# Variables in the files of the shell outrank the settings file.
settle_rivals() {
  for variable in $RIVAL_ENV ANTHROPIC_BASE_URL; do
    [ "$mode" = key ] && [ "$variable" = ANTHROPIC_AUTH_TOKEN ] && continue
    shell_files | while IFS= read -r file; do
      LC_ALL=C grep -n "^[[:space:]]*\(export[[:space:]][[:space:]]*\)\{0,1\}$variable=" "$file" | cut -d: -f1 | while IFS= read -r number; do
        line 'Conflict' "$variable is set in $file:$number"
        if [ "$dry" = no ] && ask 'Comment it out?'; then
          cp -p "$file" "$file.causeway-new" && sed "${number}s/^/# causeway: /" "$file" >"$file.causeway-new" && mv -f "$file.causeway-new" "$file"
          more 'commented out; open a new terminal afterwards'
        fi
      done
    done
    eval "inherited=\${$variable:-}"
    if [ -n "$inherited" ] && [ "$inherited" != "$GATEWAY" ]; then
      line 'Conflict' "$variable is set in this terminal; the client will use it. Unset it, or open a new terminal."
    fi
  done
}

restore_shell_files() {
  shell_files | while IFS= read -r file; do
    LC_ALL=C grep -q '^# causeway: ' "$file" || continue
    cp -p "$file" "$file.causeway-new" && sed 's/^# causeway: //' "$file" >"$file.causeway-new" && mv -f "$file.causeway-new" "$file"
    line 'Shell' "$file is as it was"
  done
}

# Rivals inside the settings file itself.
settle_rivals_in_settings() {
  for variable in $RIVAL_ENV; do
    [ "$mode" = key ] && [ "$variable" = ANTHROPIC_AUTH_TOKEN ] && continue
    edit "$1" get env "$variable" >/dev/null || continue
    line 'Conflict' "$variable is set in $settings; it outranks the gateway"
    [ "$dry" = no ] && ask 'Take it out (--remove puts it back)?' && apply "$1" delete env "$variable"
  done
  return 0
}

remove() {
  if [ ! -f "$own/after" ]; then
    line 'Settings' 'nothing of the gateway is in them'
  else
    find_clean || fail "$settings is not valid JSON. Take the gateway's entries out by hand; the file from before is $own/before."
    if [ "$missing" = yes ]; then rm -f "$settings"; else write_settings "$work/clean" || fail "$settings cannot be written."; fi
    line 'Settings' "$settings is as it was"
  fi
  restore_shell_files
  [ -f "$helper" ] && sh "$helper" --forget </dev/null
  rm -rf "$own"
  line 'Removed' 'Sessions of this machine end by themselves; end them at once in the portal.'
}

# It ignores itself before anything is in it: the copies hold secrets, and a home may be a checkout.
make_own() {
  mkdir -p "$own" && printf '*\n' >"$own/.gitignore" || fail "cannot make $own"
}

install_helper() {
  make_own
  token_helper_script >"$helper.new" && chmod 700 "$helper.new" && mv -f "$helper.new" "$helper" || fail "cannot write $helper"
}

sign_in() {
  if sh "$helper" </dev/null >/dev/null; then
    who=$(sh "$helper" --get /auth/me </dev/null | sed -n 's/.*"subject":"\([^"]*\)".*/\1/p')
    line 'Sign in' "signed in as ${who:-somebody}"
  else
    fail 'not signed in; nothing was changed. Run this again, or with --no-login to sign in later.'
  fi
}

# $1 path, $2 token, $3 body or nothing, $4 file of an authority or nothing. The credential goes in through standard input,
# where no list of processes shows it.
ask_with() {
  {
    printf 'url = "%s"\nheader = "authorization: Bearer %s"\n' "$GATEWAY$1" "$2"
    [ -n "$4" ] && printf 'cacert = "%s"\n' "$4"
    [ -n "$3" ] && printf 'header = "content-type: application/json"\ndata = "%s"\n' "$(printf '%s' "$3" | sed 's/\\/\\\\/g; s/"/\\"/g')"
  } | curl -q -s --config - --connect-timeout 10 --max-time 60 2>/dev/null
}

# As the helper does it: an authority of its own takes the place of those that this machine knows, so they are tried first.
ask_gateway() {
  ask_with "$1" "$2" "${3:-}" "${CAUSEWAY_CACERT:-}"
  [ $? -eq 60 ] && [ -z "${CAUSEWAY_CACERT:-}" ] && [ -n "${NODE_EXTRA_CA_CERTS:-}" ] || return 0
  ask_with "$1" "$2" "${3:-}" "$NODE_EXTRA_CA_CERTS"
}

words_of() { printf '%s' "$1" | sed -n 's/.*"message":"\([^"]*\)".*/\1/p'; }

# One real request, so that "Ready" is not a guess. Needs curl; without it only the sign-in was shown to work.
check() {
  command -v curl >/dev/null 2>&1 || { line 'Test' 'skipped: curl is not installed'; return 0; }
  works=yes
  listed=$(ask_gateway '/v1/models?limit=1000' "$1")
  models=$(printf '%s' "$listed" | tr '{' '\n' | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
  if [ -z "$models" ]; then
    case $listed in
      *'"type":"error"'*) line 'Test' "refused: $(words_of "$listed")" ;;
      '') line 'Test' "no answer; look at $GATEWAY/health and try again" ;;
      *) line 'Test' 'the gateway offers no model to you; ask an administrator' ;;
    esac
    return 1
  fi
  # The cheapest family first.
  model=$(printf '%s\n' "$models" | grep -v '\[1m\]' | grep haiku | head -n 1)
  [ -n "$model" ] || model=$(printf '%s\n' "$models" | grep -v '\[1m\]' | head -n 1)
  began=$(date +%s)
  answer=$(ask_gateway /v1/messages "$1" "{\"model\":\"$model\",\"max_tokens\":16,\"messages\":[{\"role\":\"user\",\"content\":\"Answer with OK.\"}]}")
  case $answer in
    *'"type":"message"'*) line 'Test' "$model answered in $(($(date +%s) - began)) s; $(printf '%s\n' "$models" | grep -vc '\[1m\]') models, $(printf '%s\n' "$models" | grep -c '\[1m\]') with 1M context" ;;
    '') works=no; line 'Test' "$model did not answer; look at $GATEWAY/health and try again" ;;
    *) works=no; line 'Test' "$model refused: $(words_of "$answer")" ;;
  esac
  # Of several budgets the one with the least left binds.
  left=$(ask_gateway /me/budget "$1" | sed 's/"remaining_usd"/\
&/g' | sed -n 's/^"remaining_usd":\([0-9.]*\).*"resets_at":"\([^"]*\)".*/\1 \2/p' | sort -n | head -n 1)
  [ -n "$left" ] && line 'Budget' "\$$(LC_ALL=C printf '%.2f' "${left% *}") left until ${left#* }"
  [ "$works" = yes ]
}

main() {
  yes=no dry=no login=yes test=yes mode=helper action=setup
  for option in "$@"; do
    case $option in
      --remove) action=remove ;;
      --yes) yes=yes ;;
      --dry-run) dry=yes ;;
      --no-login) login=no ;;
      --no-test) test=no ;;
      --key) mode=key ;;
      --help) printf '%s\n' "$OPTIONS"; return ;;
      *) fail "unknown option $option. $OPTIONS" ;;
    esac
  done
  folder=${CLAUDE_CONFIG_DIR:-${HOME:?HOME is not set}/.claude}
  settings=$folder/settings.json
  own=$folder/causeway
  helper=$own/token-helper.sh
  work=$(mktemp -d "${TMPDIR:-/tmp}/causeway.XXXXXX") || fail 'cannot make a folder for temporary files'
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  settings_edit_program >"$work/edit.awk"

  if [ "$action" = remove ]; then remove; return; fi
  case $GATEWAY in
    https://* | http://localhost | http://localhost:* | http://127.* | 'http://[::1]' | 'http://[::1]':*) ;;
    *) fail "$GATEWAY is not https; a token is never sent over an open line except on this machine." ;;
  esac
  if [ "$mode" = key ]; then
    case ${CAUSEWAY_KEY:-} in
      *[!A-Za-z0-9_-]*) fail 'CAUSEWAY_KEY is not a virtual key.' ;;
      sk-proxy-?*) ;;
      *) fail 'put the virtual key into the variable CAUSEWAY_KEY.' ;;
    esac
  fi

  line 'Gateway' "$GATEWAY"
  find_clean || fail "$settings is not valid JSON. Nothing was changed; repair it and run this again."
  is_blank "$work/clean" && printf '{}\n' >"$work/start" || cat "$work/clean" >"$work/start"
  edit "$work/start" check || fail "$settings is not valid JSON. Nothing was changed; repair it and run this again."
  cat "$work/start" >"$work/after"
  settle_rivals_in_settings "$work/after"
  add_ours "$work/after" && edit "$work/after" check || fail "$settings has a value of an unexpected kind in env, permissions or deny. Nothing was changed."

  if [ "$dry" = yes ]; then
    line 'Settings' "$settings would change:"
    show_change "$work/start" "$work/after"
    settle_rivals
    return
  fi
  if [ "$mode" = helper ]; then
    install_helper
    if [ "$login" = yes ]; then sign_in; fi
  fi
  if [ -f "$settings" ] && cmp -s "$settings" "$work/after"; then
    line 'Settings' "$settings is right already"
    if [ -f "$own/after" ]; then make_own; fi
  else
    show_change "$work/start" "$work/after"
    make_own
    cat "$work/clean" >"$own/before"
    if [ "$missing" = yes ]; then : >"$own/absent"; else rm -f "$own/absent"; fi
    cat "$work/after" >"$own/after"
    write_settings "$work/after" || fail "$settings cannot be written."
    [ "$mode" = key ] && chmod 600 "$settings"
    line 'Settings' "$settings is written; the file from before is $own/before"
  fi
  settle_rivals
  if [ "$test" = no ]; then :; elif [ "$mode" = key ]; then check "$CAUSEWAY_KEY"; elif [ "$login" = yes ]; then check "$(sh "$helper" </dev/null)"; fi || {
    line 'Not ready' 'The settings are written. Run this again when the test can pass; --remove takes them out.'
    return 0
  }
  line 'Ready' 'Run: claude'
}

settings_edit_program() {
  cat <<'CAUSEWAY_SETTINGS_EDIT'
@SETTINGS_EDIT@
CAUSEWAY_SETTINGS_EDIT
}

token_helper_script() {
  cat <<'CAUSEWAY_TOKEN_HELPER'
@TOKEN_HELPER@
CAUSEWAY_TOKEN_HELPER
}

# Last, so that a download that breaks off does nothing.
main "$@"
