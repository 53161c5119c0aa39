# Changes single values in a JSON file and leaves every other byte as it is. Reads the text with one more byte at its end,
# because awk does not tell whether the last line had a line feed. What to do stands in the environment:
# OP check | hide | get | set | delete | has | add | remove | empty, K1 and K2 the path, V a value as JSON text.
# Exit codes: 0 done or yes, 1 not a JSON object, 3 absent or no, 4 the path leads through something else.

{ text = text (NR > 1 ? "\n" : "") $0 }

END {
  ORS = ""
  text = substr(text, 1, length(text) - 1)
  size = length(text)
  root = skip(substr(text, 1, 3) == "\357\273\277" ? 4 : 1)
  past = substr(text, root, 1) == "{" ? value(root) : 0
  if (!past || skip(past) <= size) exit 1
  op = ENVIRON["OP"]
  if (op == "check") exit 0
  if (op == "hide") { print hidden(); exit 0 }
  place = root
  name = ENVIRON["K1"]
  if (ENVIRON["K2"] != "") {
    members(place)
    at = named(name)
    if (!at) {
      if (op != "set" && op != "add") exit 3
      if (op == "add") inner = "[" ENVIRON["V"] "]"
      else inner = ENVIRON["V"]
      splice_in(place, name, nested(place, ENVIRON["K2"], inner))
      print text
      exit 0
    }
    place = from[at]
    if (substr(text, place, 1) != "{") exit 4
    name = ENVIRON["K2"]
  }
  members(place)
  at = named(name)
  if (op == "set") {
    if (at) text = substr(text, 1, from[at] - 1) ENVIRON["V"] substr(text, to[at])
    else splice_in(place, name, ENVIRON["V"])
    print text
    exit 0
  }
  if (!at) {
    if (op != "add") exit 3
    splice_in(place, name, "[" ENVIRON["V"] "]")
    print text
    exit 0
  }
  if (op == "get") { print substr(text, from[at], to[at] - from[at]); exit 0 }
  if (op == "delete") { cut(place, at); print text; exit 0 }
  if (op == "empty") { members(from[at]); exit count ? 3 : 0 }
  place = from[at]
  if (substr(text, place, 1) != "[") exit 4
  members(place)
  at = 0
  for (k = 1; k <= count; k++) if (substr(text, from[k], to[k] - from[k]) == ENVIRON["V"]) at = k
  if (op == "has") exit at ? 0 : 3
  if (op == "add" && !at) splice_in(place, "", ENVIRON["V"])
  if (op == "remove" && at) cut(place, at)
  print text
  exit 0
}

function skip(i) {
  while (i <= size && index(" \t\r\n", substr(text, i, 1))) i++
  return i
}

# The position after the string that begins here, 0 when it is none.
function string(i,   c, e) {
  if (substr(text, i, 1) != "\"") return 0
  for (i++; i <= size; i++) {
    c = substr(text, i, 1)
    if (c == "\"") return i + 1
    if (c == "\\") {
      e = substr(text, ++i, 1)
      if (e == "u") {
        if (substr(text, i + 1, 4) !~ /^[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]$/) return 0
        i += 4
      } else if (e == "" || !index("\"\\/bfnrt", e)) return 0
    } else if (c < " ") return 0
  }
  return 0
}

# The position after the value that begins here, 0 when it is none.
function value(i,   c, closing) {
  i = skip(i)
  c = substr(text, i, 1)
  if (c == "\"") return string(i)
  if (c == "{" || c == "[") {
    if (++depth > 500) return 0
    closing = c == "{" ? "}" : "]"
    i = skip(i + 1)
    if (substr(text, i, 1) == closing) { depth--; return i + 1 }
    for (;;) {
      if (closing == "}") {
        i = string(skip(i))
        if (!i) return 0
        i = skip(i)
        if (substr(text, i, 1) != ":") return 0
        i++
      }
      i = value(i)
      if (!i) return 0
      i = skip(i)
      c = substr(text, i, 1)
      if (c == closing) { depth--; return i + 1 }
      if (c != ",") return 0
      i++
    }
  }
  if (substr(text, i, 4) == "true" || substr(text, i, 4) == "null") return i + 4
  if (substr(text, i, 5) == "false") return i + 5
  if (match(substr(text, i, 400), /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/)) return i + RLENGTH
  return 0
}

# Lists what stands directly in the object or list that begins at i: lead is where its separator ends, key where its name
# begins, from and to its value.
function members(i,   opening, closing, j) {
  opening = substr(text, i, 1)
  closing = opening == "{" ? "}" : "]"
  count = 0
  end_at = 0
  if (opening != "{" && opening != "[") return
  lead[1] = i + 1
  i = skip(i + 1)
  if (substr(text, i, 1) == closing) { end_at = i; return }
  for (;;) {
    count++
    i = skip(i)
    key[count] = i
    label[count] = ""
    if (opening == "{") {
      j = string(i)
      label[count] = plain(substr(text, i + 1, j - i - 2))
      i = skip(skip(j) + 1)
    }
    from[count] = i
    i = value(i)
    to[count] = i
    i = skip(i)
    if (substr(text, i, 1) == closing) { end_at = i; return }
    i++
    lead[count + 1] = i
  }
}

# Of several with the same name the last one counts, as everywhere.
function named(wanted,   k, found) {
  found = 0
  for (k = 1; k <= count; k++) if (label[k] == wanted) found = k
  return found
}

# A name may be written with escapes; only those of ASCII characters matter here.
function plain(raw,   out, i, c, code) {
  if (!index(raw, "\\")) return raw
  out = ""
  for (i = 1; i <= length(raw); i++) {
    c = substr(raw, i, 1)
    if (c != "\\") { out = out c; continue }
    c = substr(raw, ++i, 1)
    if (c != "u") { out = out c; continue }
    code = (index("0123456789abcdef", tolower(substr(raw, i + 3, 1))) - 1) * 16 + index("0123456789abcdef", tolower(substr(raw, i + 4, 1))) - 1
    out = out (substr(raw, i + 1, 2) == "00" ? sprintf("%c", code) : substr(raw, i - 1, 6))
    i += 4
  }
  return out
}

# Headers and bearer tokens are credentials too; apiKeyHelper names a program.
function is_secret(name) {
  name = tolower(name)
  return name ~ /(key|token|secret|password|authorization|headers)$/ || index(name, "bearer")
}

# The text for a screen: of a secret its beginning, at most 12 characters and at most a quarter.
function hidden(   out, i, past, begin, size_of, done) {
  out = ""
  done = 1
  for (i = 1; i <= size; i++) {
    if (substr(text, i, 1) != "\"") continue
    past = string(i)
    begin = skip(past)
    if (substr(text, begin, 1) == ":") {
      begin = skip(begin + 1)
      if (substr(text, begin, 1) == "\"" && is_secret(plain(substr(text, i + 1, past - i - 2)))) {
        past = string(begin)
        size_of = int((past - begin - 2) / 4)
        out = out substr(text, done, begin + 1 - done) substr(text, begin + 1, size_of > 12 ? 12 : size_of) "…"
        done = past - 1
      }
    }
    i = past - 1
  }
  return out substr(text, done)
}

# The white space at the beginning of the line that position i stands in.
function indent(i,   j, out) {
  j = i
  while (j > 1 && substr(text, j - 1, 1) != "\n") j--
  out = ""
  while (index(" \t", substr(text, j, 1)) && j < i) out = out substr(text, j++, 1)
  return out
}

function member(name, v) { return name == "" ? v : "\"" name "\": " v }

# An empty object has no style of its own and is written over several lines.
function is_one_line(   whole) {
  whole = substr(text, root, value(root) - root)
  return length(whole) > 2 && !index(whole, "\n")
}

# Puts a new member at the end, with the separator that the last one has.
function splice_in(place, name, v,   gap, tail) {
  members(place)
  if (count) {
    gap = substr(text, lead[count], key[count] - lead[count])
    text = substr(text, 1, to[count] - 1) "," gap member(name, v) substr(text, to[count])
  } else {
    tail = is_one_line() ? "" : "\n" indent(place)
    gap = tail == "" ? "" : tail step()
    members(place)
    text = substr(text, 1, place) gap member(name, v) tail substr(text, end_at)
  }
}

# A new object with one member, indented like the members of its parent.
function nested(place, name, v,   inner) {
  if (is_one_line()) return "{" member(name, v) "}"
  members(place)
  inner = count ? substr(text, lead[count], key[count] - lead[count]) : "\n  "
  if (!index(inner, "\n")) return "{" member(name, v) "}"
  return "{" inner step() member(name, v) inner "}"
}

# One level of indentation, as the first member of the file has it.
function step(   gap) {
  members(root)
  gap = count ? substr(text, lead[1], key[1] - lead[1]) : ""
  sub(/^.*\n/, "", gap)
  return gap == "" ? "  " : gap
}

function cut(place, at) {
  if (count == 1) text = substr(text, 1, place) substr(text, end_at)
  else if (at == count) text = substr(text, 1, to[at - 1] - 1) substr(text, to[at])
  else text = substr(text, 1, key[at] - 1) substr(text, key[at + 1])
}
