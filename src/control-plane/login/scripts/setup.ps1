# Connects the coding client on this machine to the gateway.
#   irm @BASE_URL@/auth/setup?platform=windows | iex
#   & ([scriptblock]::Create((irm '@BASE_URL@/auth/setup?platform=windows'))) -Remove
param([switch]$Remove)
$ErrorActionPreference = 'Stop'
$Gateway = '@BASE_URL@'
$WebSearch = '@WEB_SEARCH@'
$Folder = if ($env:CLAUDE_CONFIG_DIR) { $env:CLAUDE_CONFIG_DIR } else { Join-Path $HOME '.claude' }
$Settings = Join-Path $Folder 'settings.json'
$Own = Join-Path $Folder 'causeway'
$Helper = Join-Path $Own 'token-helper.ps1'
$Before = Join-Path $Own 'before'
$Absent = Join-Path $Own 'absent'

if ($Remove) {
  # The file from before comes back whole.
  if (Test-Path $Absent) { Remove-Item -Force -ErrorAction SilentlyContinue $Settings }
  elseif (Test-Path $Before) { Copy-Item -Force $Before $Settings }
  if (Test-Path $Helper) { powershell -NoProfile -ExecutionPolicy Bypass -File $Helper -Forget }
  Remove-Item -Recurse -Force -ErrorAction SilentlyContinue $Own
  Write-Host "Settings     $Settings is as it was"
  return
}

New-Item -ItemType Directory -Force -Path $Own | Out-Null
if (-not (Test-Path $Before) -and -not (Test-Path $Absent)) {
  if (Test-Path $Settings) { Copy-Item $Settings $Before } else { New-Item -ItemType File $Absent | Out-Null }
}
$Text = if (Test-Path $Before) { Get-Content -Raw -Encoding UTF8 $Before } else { '' }
if ([string]::IsNullOrWhiteSpace($Text)) { $Text = '{}' }
try { $Json = $Text | ConvertFrom-Json } catch { throw "causeway: $Settings is not valid JSON. Nothing was changed." }

function Set-Member($Object, [string]$Name, $Value) { $Object | Add-Member -NotePropertyName $Name -NotePropertyValue $Value -Force }
if (-not $Json.env) { Set-Member $Json 'env' ([pscustomobject]@{}) }
Set-Member $Json 'apiKeyHelper' "powershell -NoProfile -ExecutionPolicy Bypass -File `"$Helper`""
Set-Member $Json.env 'ANTHROPIC_BASE_URL' $Gateway
Set-Member $Json.env 'CLAUDE_CODE_API_KEY_HELPER_TTL_MS' '840000'
Set-Member $Json.env 'CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY' '1'
Set-Member $Json.env 'CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY' '1'
if ($WebSearch -eq 'disabled') {
  if (-not $Json.permissions) { Set-Member $Json 'permissions' ([pscustomobject]@{}) }
  $Deny = @($Json.permissions.deny | Where-Object { $_ })
  if ($Deny -notcontains 'WebSearch') { $Deny += 'WebSearch' }
  Set-Member $Json.permissions 'deny' $Deny
}

(Invoke-WebRequest -UseBasicParsing "$Gateway/auth/setup/token-script?platform=windows").Content | Set-Content -Encoding UTF8 $Helper
powershell -NoProfile -ExecutionPolicy Bypass -File $Helper | Out-Null
if ($LASTEXITCODE -ne 0) { throw 'causeway: not signed in; the settings were not changed.' }
[IO.File]::WriteAllText("$Settings.new", ($Json | ConvertTo-Json -Depth 100), (New-Object Text.UTF8Encoding $false))
Move-Item -Force "$Settings.new" $Settings
Write-Host "Settings     $Settings is written; the file from before is $Before"
Write-Host 'Ready        Run: claude'
