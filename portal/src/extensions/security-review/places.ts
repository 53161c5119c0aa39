/** Where in the portal something is changed that the security page tells of. */
interface Place {
  readonly path: string
  readonly label: string
  readonly search?: Readonly<Record<string, string>>
}

const settings: Place = { path: '/settings', label: 'Settings' }
const signIn: Place = { path: '/access', label: 'Sign-in' }
const keys = (sort: string): Place => ({ path: '/keys', label: 'Keys', search: { show: 'all', sort } })

/** What is not here is set by variables alone. */
const placesOfCheck: Readonly<Record<string, readonly Place[]>> = {
  admin_password: [settings],
  single_sign_on: [signIn, settings],
  provider_access: [signIn],
  administrators: [{ path: '/users', label: 'People', search: { role: 'admin' } }],
  provisioning: [signIn],
  session_length: [settings],
  idle_sessions: [{ path: '/users', label: 'People' }],
  keys_without_end: [keys('-expires_at')],
  unused_keys: [keys('last_used_at')],
  cloud_credentials: [{ path: '/endpoints', label: 'Endpoints' }],
  audit_retention: [settings],
}

export function findPlaces(checkId: string): readonly Place[] {
  return placesOfCheck[checkId] ?? []
}

/** Variables are written in capitals and need a restart; settings are not, and do not. */
export function isVariable(name: string): boolean {
  return /^[A-Z][A-Z\d_]+$/.test(name)
}

export function isSetting(name: string): boolean {
  return /^[a-z]+(_[a-z]+)+$/.test(name)
}
