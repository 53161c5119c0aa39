/** Decides on a sign-in with the bootstrap administrator's name and password. Needs neither database nor provider. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { problem } from '../../foundation/domain/errors.ts'
import type { LoginThrottle } from './login-throttle.memory.ts'

/** Beyond this many held-back answers the delay is left out: slowness must not cost us our own memory. */
const MAX_HELD_BACK = 200

export interface PasswordAttempt {
  readonly username: string
  readonly password: string
  readonly sourceAddress: string
}

export interface PasswordLoginPorts {
  readonly username: string
  readonly password: string
  /** The setting `admin_login_enabled`, as it is now. */
  readonly isEnabled: () => boolean
  /** ADMIN_PASSWORD_ENABLE=true: overrides the setting. */
  readonly forcedOn: boolean
  readonly throttle: LoginThrottle
  readonly sleep: (ms: number) => Promise<void>
}

export interface PasswordLogin {
  readonly isOffered: () => boolean
  /** Resolves when the caller is the bootstrap administrator, else throws the public error. */
  readonly requirePassword: (attempt: PasswordAttempt) => Promise<void>
}

export function createPasswordLogin(ports: PasswordLoginPorts): PasswordLogin {
  const matchesUsername = createSecretComparison(ports.username)
  const matchesPassword = createSecretComparison(ports.password)
  let heldBack = 0
  const isOffered = (): boolean => ports.forcedOn || ports.isEnabled()

  return {
    isOffered,
    async requirePassword({ username, password, sourceAddress }) {
      if (!isOffered()) throw problem('admin_login_disabled')
      const waitSeconds = ports.throttle.retryAfterSeconds(sourceAddress)
      if (waitSeconds > 0) {
        throw problem('login_throttled', { seconds: waitSeconds }, { headers: { 'retry-after': String(waitSeconds) } })
      }
      // Both are compared, whatever the first says: an unknown name must cost the same as a wrong password.
      const rightName = matchesUsername(username)
      const rightPassword = matchesPassword(password)
      if (rightName && rightPassword) {
        ports.throttle.recordSuccess(sourceAddress)
        return
      }
      const delayMs = ports.throttle.recordFailure(sourceAddress, username)
      if (delayMs > 0 && heldBack < MAX_HELD_BACK) {
        heldBack += 1
        await ports.sleep(delayMs).finally(() => {
          heldBack -= 1
        })
      }
      throw problem('wrong_password')
    },
  }
}

/** Compares digests under a key of this process: equal lengths for timingSafeEqual, and nothing about the secret in the time. */
function createSecretComparison(secret: string): (given: string) => boolean {
  const key = randomBytes(32)
  const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const expected = digest(secret)
  // An empty secret means "not configured" and matches nothing.
  const isSet = secret.length > 0
  return (given) => timingSafeEqual(digest(given), expected) && isSet
}
