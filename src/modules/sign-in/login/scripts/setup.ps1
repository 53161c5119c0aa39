# Connects the coding client on this machine to the gateway: signs in, writes the client's settings, checks the result.
#   irm @BASE_URL@/auth/setup?platform=windows | iex
#   & ([scriptblock]::Create((irm '@BASE_URL@/auth/setup?platform=windows'))) -Remove
param([switch]$Remove, [switch]$NoTest)
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'
$Gateway = '@BASE_URL@'
$WebSearch = '@WEB_SEARCH@'
$Folder = if ($env:CLAUDE_CONFIG_DIR) { $env:CLAUDE_CONFIG_DIR } else { Join-Path $HOME '.claude' }
$Settings = Join-Path $Folder 'settings.json'
$Own = Join-Path $Folder 'causeway'
$Helper = Join-Path $Own 'token-helper.ps1'
# The settings without ours, or a mark that there were none; and as the setup has left them.
$Before = Join-Path $Own 'before'
$Absent = Join-Path $Own 'absent'
$After = Join-Path $Own 'after'

$HelperCommand = "powershell -NoProfile -ExecutionPolicy Bypass -File `"$Helper`""
$OwnEnv = [ordered]@{
  ANTHROPIC_BASE_URL = $Gateway
  CLAUDE_CODE_API_KEY_HELPER_TTL_MS = '840000'
  CLAUDE_CODE_ENABLE_GATEWAY_MODEL_DISCOVERY = '1'
  CLIENT_ENABLE_GATEWAY_MODEL_DISCOVERY = '1'
}

function Read-Json([string]$Path) {
  $Text = if (Test-Path $Path) { Get-Content -Raw -Encoding UTF8 $Path } else { '' }
  if ([string]::IsNullOrWhiteSpace($Text)) { $Text = '{}' }
  try { $Text | ConvertFrom-Json } catch { throw "causeway: $Path is not valid JSON. Nothing was changed." }
}

function Write-Json($Json, [string]$Path) {
  [IO.File]::WriteAllText("$Path.new", ($Json | ConvertTo-Json -Depth 100), (New-Object Text.UTF8Encoding $false))
  Move-Item -Force "$Path.new" $Path
}

function Test-Member($Object, [string]$Name) { ($null -ne $Object) -and ($null -ne $Object.PSObject.Properties[$Name]) }
function Set-Member($Object, [string]$Name, $Value) { $Object | Add-Member -NotePropertyName $Name -NotePropertyValue $Value -Force }

# One value back to what it was before the setup, unless somebody has changed it since.
function Restore-Member($Object, $Old, [string]$Name, [string]$Ours) {
  if (-not (Test-Member $Object $Name) -or $Object.$Name -cne $Ours) { return }
  if (Test-Member $Old $Name) { Set-Member $Object $Name $Old.$Name } else { $Object.PSObject.Properties.Remove($Name) }
}

# An object that only the setup had needed goes with its last member.
function Remove-Empty($Object, $Old, [string]$Name) {
  if (-not (Test-Member $Object $Name) -or (Test-Member $Old $Name)) { return }
  if (@($Object.$Name.PSObject.Properties).Count -eq 0) { $Object.PSObject.Properties.Remove($Name) }
}

# What the settings would be had the setup never run; whatever else was changed since stays.
function Get-WithoutOurs {
  $Json = Read-Json $Settings
  $Old = Read-Json $Before
  $Set = Read-Json $After
  Restore-Member $Json $Old 'apiKeyHelper' $HelperCommand
  foreach ($Name in $OwnEnv.Keys) {
    $Ours = if (Test-Member $Set.env $Name) { $Set.env.$Name } else { $OwnEnv[$Name] }
    Restore-Member $Json.env $Old.env $Name $Ours
  }
  Remove-Empty $Json $Old 'env'
  $IsOurs = (@($Set.permissions.deny) -contains 'WebSearch') -and -not (@($Old.permissions.deny) -contains 'WebSearch')
  if ($IsOurs -and (Test-Member $Json.permissions 'deny')) {
    $Deny = @($Json.permissions.deny | Where-Object { $_ -ne 'WebSearch' })
    if ($Deny.Count -gt 0 -or (Test-Member $Old.permissions 'deny')) { Set-Member $Json.permissions 'deny' $Deny }
    else { $Json.permissions.PSObject.Properties.Remove('deny') }
    Remove-Empty $Json $Old 'permissions'
  }
  $Json
}

# What the gateway says, or else what became of the call.
function Get-Reason($Failure) {
  $Said = $null
  try { $Said = ($Failure.ErrorDetails.Message | ConvertFrom-Json).error.message } catch { }
  if ($Said) { $Said } else { $Failure.Exception.Message }
}

# One real request, so that "Ready" is not a guess.
function Test-Gateway([string]$Token) {
  $Common = @{ UseBasicParsing = $true; TimeoutSec = 60; Headers = @{ authorization = "Bearer $Token" } }
  try { $Listed = Invoke-RestMethod @Common "$Gateway/v1/models?limit=1000" }
  catch {
    Write-Host "Test         refused: $(Get-Reason $_)"
    return $false
  }
  $Models = @($Listed.data | ForEach-Object { $_.id } | Where-Object { $_ })
  $Plain = @($Models | Where-Object { -not $_.EndsWith('[1m]') })
  if ($Plain.Count -eq 0) {
    Write-Host 'Test         the gateway offers no model to you; ask an administrator'
    return $false
  }
  # The cheapest family first.
  $Cheap = @($Plain | Where-Object { $_ -match 'haiku' })
  $Model = if ($Cheap.Count -gt 0) { $Cheap[0] } else { $Plain[0] }
  $Question = @{ model = $Model; max_tokens = 16; messages = @(@{ role = 'user'; content = 'Answer with OK.' }) }
  $Began = Get-Date
  try {
    $Body = $Question | ConvertTo-Json -Depth 5
    Invoke-RestMethod @Common -Method Post -ContentType 'application/json' -Body $Body "$Gateway/v1/messages" | Out-Null
  }
  catch {
    Write-Host "Test         $Model refused: $(Get-Reason $_)"
    return $false
  }
  $Seconds = [int]((Get-Date) - $Began).TotalSeconds
  Write-Host "Test         $Model answered in $Seconds s; $($Plain.Count) models, $($Models.Count - $Plain.Count) with 1M context"
  return $true
}

$IsSetUp = (Test-Path $Before) -or (Test-Path $Absent)
$IsThere = Test-Path $Settings
$IsAsLeft = $IsThere -and (Test-Path $After) -and ((Get-FileHash $Settings).Hash -eq (Get-FileHash $After).Hash)

if ($Remove) {
  if (-not $IsSetUp) {
    Write-Host 'Settings     nothing of the gateway is in them'
    return
  }
  if ($IsThere -and -not $IsAsLeft) { Write-Json (Get-WithoutOurs) $Settings }
  elseif (Test-Path $Absent) { Remove-Item -Force -ErrorAction SilentlyContinue $Settings }
  elseif ($IsThere) { Copy-Item -Force $Before $Settings }
  if (Test-Path $Helper) { powershell -NoProfile -ExecutionPolicy Bypass -File $Helper -Forget }
  Remove-Item -Recurse -Force -ErrorAction SilentlyContinue $Own
  Write-Host "Settings     $Settings is without the gateway"
  return
}

# Before anything is kept: a broken file must not become the one from before.
Read-Json $Settings | Out-Null
New-Item -ItemType Directory -Force -Path $Own | Out-Null
# It ignores itself before anything is in it: the copies hold secrets, and a profile may be a checkout.
[IO.File]::WriteAllText((Join-Path $Own '.gitignore'), "*`n")
if ($IsThere -and -not $IsAsLeft) {
  if ($IsSetUp) { Write-Json (Get-WithoutOurs) $Before } else { Copy-Item $Settings $Before }
  Remove-Item -Force -ErrorAction SilentlyContinue $Absent
}
elseif (-not $IsThere) {
  New-Item -ItemType File -Force $Absent | Out-Null
  Remove-Item -Force -ErrorAction SilentlyContinue $Before
}
$Json = Read-Json $Before

if (-not $Json.env) { Set-Member $Json 'env' ([pscustomobject]@{}) }
Set-Member $Json 'apiKeyHelper' $HelperCommand
foreach ($Name in $OwnEnv.Keys) { Set-Member $Json.env $Name $OwnEnv[$Name] }
if ($WebSearch -eq 'disabled') {
  if (-not $Json.permissions) { Set-Member $Json 'permissions' ([pscustomobject]@{}) }
  $Deny = @($Json.permissions.deny | Where-Object { $_ })
  if ($Deny -notcontains 'WebSearch') { $Deny += 'WebSearch' }
  Set-Member $Json.permissions 'deny' $Deny
}

(Invoke-WebRequest -UseBasicParsing "$Gateway/auth/setup/token-script?platform=windows").Content | Set-Content -Encoding UTF8 $Helper
$Token = powershell -NoProfile -ExecutionPolicy Bypass -File $Helper
if ($LASTEXITCODE -ne 0) { throw 'causeway: not signed in; the settings were not changed.' }
Write-Json $Json $Settings
Copy-Item -Force $Settings $After
Write-Host "Settings     $Settings is written; the file from before is $Before"
if (-not $NoTest -and -not (Test-Gateway $Token)) {
  Write-Host 'Not ready    The settings are written. Run this again when the test can pass; -Remove takes them out.'
  return
}
Write-Host 'Ready        Run: claude'
