import { createPromptCache, type PromptCache } from './answer/prompt-cache.ts'
import { type Accounts, createAccounts, resetAccounts } from './aws/accounts.ts'
import { createProfiles, type Profiles } from './aws/profiles.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { createRecorder, type Recorder } from './recorder.ts'
import { createScripts, type Scripts } from './scripts.ts'
import { type Settings, testSettings } from './settings.ts'

/** Everything the simulator remembers, shared by the AWS face and the control port. */
export type SimulatorState = {
  settings: Settings
  readonly initialSettings: Settings
  readonly accounts: Accounts
  readonly scripts: Scripts
  readonly ledger: Ledger
  readonly profiles: Profiles
  readonly promptCache: PromptCache
  readonly recorder: Recorder
  /** Objects by bucket and key. */
  readonly buckets: Map<string, Map<string, Buffer>>
  now(): number
}

export function createState(overrides: Partial<Settings>): SimulatorState {
  const initialSettings = { ...testSettings, ...overrides }
  const state: SimulatorState = {
    settings: initialSettings,
    initialSettings,
    accounts: createAccounts(),
    scripts: createScripts(),
    ledger: createLedger(),
    profiles: createProfiles(),
    promptCache: createPromptCache(),
    recorder: createRecorder(),
    buckets: new Map(),
    now: () => Date.now() + state.settings.clockOffsetSeconds * 1000,
  }
  return state
}

export function resetState(state: SimulatorState): void {
  state.settings = state.initialSettings
  resetAccounts(state.accounts)
  state.scripts.clear()
  state.ledger.clear()
  state.profiles.reset()
  state.promptCache.clear()
  state.recorder.clear()
  state.buckets.clear()
}
