# Prints a token for the gateway on standard output, and nothing else there. Signs in through the browser when needed.
param([switch]$Verbose, [switch]$Force, [switch]$Forget)
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$Gateway = '@BASE_URL@'
$env:CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY = '1'
$env:CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY = '1'

function Say([string]$Text) { [Console]::Error.WriteLine("causeway: $Text") }
function Stop-With([string]$Text) { Say $Text; exit 1 }

if ($Gateway -notmatch '^https://' -and $Gateway -notmatch '^http://(localhost|127\.[0-9.]+|\[::1\])(:[0-9]+)?$') {
  Stop-With "$Gateway is not https; a token is never sent over an open line except on this machine."
}
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

# The profile folder is readable for its owner only.
$Folder = Join-Path $env:LOCALAPPDATA 'causeway'
$Kept = Join-Path $Folder (($Gateway -replace '[^A-Za-z0-9.-]', '_') + '.token')
New-Item -ItemType Directory -Force -Path $Folder | Out-Null
if ($Forget) { Remove-Item -Force -ErrorAction SilentlyContinue $Kept; exit 0 }

function Read-Kept {
  if ($Force -or -not (Test-Path $Kept)) { return $null }
  $Lines = @(Get-Content $Kept)
  if ($Lines.Count -lt 2 -or $Lines[0] -notmatch '^[0-9]+$') { return $null }
  if ([int64]$Lines[0] - 900 -le [DateTimeOffset]::UtcNow.ToUnixTimeSeconds()) { return $null }
  return $Lines[1]
}

$Token = Read-Kept
if ($Token) { [Console]::Out.WriteLine($Token); exit 0 }

# One sign-in at a time; a mutex ends with the process that holds it.
$Mutex = New-Object System.Threading.Mutex($false, 'Local\causeway-sign-in')
try { [void]$Mutex.WaitOne(330000) } catch [System.Threading.AbandonedMutexException] { }
try {
  $Token = Read-Kept
  if (-not $Token) {
    try { $Login = Invoke-RestMethod -UseBasicParsing -TimeoutSec 30 "$Gateway/auth/cli/login" }
    catch { Stop-With "$Gateway cannot be reached, or does not offer a sign-in now." }
    Say "Sign in at  $($Login.verification_url)"
    Say "and check that the page shows  $($Login.user_code)"
    if ($env:SSH_CONNECTION) { Say 'No browser was opened here: open the address on any machine.' }
    else { try { Start-Process $Login.verification_url } catch { Say 'No browser was opened here: open the address on any machine.' } }
    $Deadline = [DateTime]::UtcNow.AddSeconds($Login.expires_in)
    while (-not $Token -and [DateTime]::UtcNow -lt $Deadline) {
      Start-Sleep -Seconds $Login.interval
      try {
        $Poll = Invoke-RestMethod -UseBasicParsing -TimeoutSec 30 "$Gateway/auth/cli/poll?session_code=$($Login.session_code)"
        if ($Poll.status -eq 'complete') { $Token = $Poll.token; $ExpiresIn = $Poll.expires_in }
      } catch {
        $Status = 0
        if ($_.Exception.Response) { $Status = [int]$_.Exception.Response.StatusCode }
        if ($Status -in 403, 404, 410) { Stop-With 'the sign-in was refused or took too long. Run this again.' }
      }
    }
    if (-not $Token) { Stop-With 'nobody confirmed the sign-in in time. Run this again.' }
    $Until = [DateTimeOffset]::UtcNow.ToUnixTimeSeconds() + $ExpiresIn
    Set-Content -Path "$Kept.new" -Value @("$Until", $Token) -Encoding Ascii
    Move-Item -Force "$Kept.new" $Kept
  }
  if ($Verbose) { Say 'signed in' }
  [Console]::Out.WriteLine($Token)
} finally { $Mutex.ReleaseMutex() }
