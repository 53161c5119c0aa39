/** `causeway completion`: what a shell needs to complete commands, options and the names of things. */
import type { Leaf } from '../command/command.ts'

const scripts: Readonly<Record<string, string>> = {
  bash: `# causeway completion for bash: causeway completion bash > ~/.local/share/bash-completion/completions/causeway
_causeway() {
  local IFS=$'\\n' word line=\${COMP_LINE:0:COMP_POINT} typed cut=''
  COMPREPLY=()
  typed=\${line##*[[:space:]]}
  # Bash replaces only what comes after the last of these, an @ with it; the part before must not be there twice.
  case $typed in *[@:=]*) cut=\${typed%"\${typed##*[@:=]}"} cut=\${cut%@} ;; esac
  while read -r word; do
    [ -n "$word" ] && COMPREPLY+=("$(printf '%q' "\${word#"$cut"}")")
  done < <(causeway __complete --line "$line" 2>/dev/null)
}
complete -o default -F _causeway causeway
`,
  zsh: `#compdef causeway
# causeway completion for zsh: causeway completion zsh > "\${fpath[1]}/_causeway"
_causeway() {
  local -a found
  found=("\${(@f)$(causeway __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "$found" ]] && compadd -- "\${found[@]}" || _files
}
if [ "$funcstack[1]" = "_causeway" ]; then _causeway "$@"; else compdef _causeway causeway; fi
`,
  fish: `# causeway completion for fish: causeway completion fish > ~/.config/fish/completions/causeway.fish
function __causeway_complete
  set -l words (commandline -opc) (string unescape -- (commandline -ct))
  causeway __complete -- $words[2..-1] 2>/dev/null
end
complete -c causeway -f -a '(__causeway_complete)'
`,
  powershell: `# causeway completion for PowerShell: causeway completion powershell >> $PROFILE
Register-ArgumentCompleter -Native -CommandName causeway -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  # A blank behind the last word belongs to what was typed, but not to the command.
  $typed = $cursorPosition - $commandAst.Extent.StartOffset
  $line = $commandAst.Extent.Text.PadRight($typed).Substring(0, $typed)
  causeway __complete --line $line 2>$null | Where-Object { $_ } | ForEach-Object {
    $text = if ($_ -match '^[\\w./:=@-]+$' -and $_ -notmatch '^@') { $_ } else { "'" + $_.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
  }
}
`,
}

export const completion: Leaf = {
  name: 'completion',
  summary: 'print a completion script for your shell',
  kind: 'plain',
  args: [{ name: '<shell>', text: 'bash, zsh, fish or powershell', choices: Object.keys(scripts) }],
  about:
    'It completes the names of teams, keys, people and endpoints too, asking the gateway that you are signed in to.',
  examples: ['completion bash > ~/.local/share/bash-completion/completions/causeway', 'completion fish | source'],
  run: async ({ io }, [shell]) => io.out(scripts[shell] ?? ''),
}
