import type { Secret } from '../../foundation/platform/secret.ts'

/** The password of a gateway that nobody has configured. */
export function isDefaultPassword(password: Secret): boolean {
  return password.reveal() === 'admin'
}
