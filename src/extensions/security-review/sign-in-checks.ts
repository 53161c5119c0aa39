/** Who gets in, for how long, and who may change everything. */
import {
  attention,
  bad,
  counted,
  good,
  isPasswordOffered,
  notCounted,
  type Posture,
  quoted,
  type Rule,
  type Verdict,
} from './check.ts'
import { IDLE_DAYS } from './idle-days.ts'

/** A working day and the night behind it; the default of the setting. */
const USUAL_SESSION_HOURS = 24
const LONGEST_SESSION_HOURS = 720
const MANY_ADMINISTRATORS = 10

const weaknessWords = {
  default: 'the default, which everybody knows',
  username: 'the same as the name of the account',
  short: 'shorter than 12 characters',
} as const

function judgePassword(posture: Posture): Verdict {
  const { username, weakness } = posture.facts.password
  if (!isPasswordOffered(posture)) {
    if (weakness === null) return good('Sign-in with the password is off.')
    return attention(
      `Sign-in with the password is off. ADMIN_PASSWORD is ${weaknessWords[weakness]}, and would count again once it is on.`,
      'Set ADMIN_PASSWORD to a long random value and restart, so that switching it on in an emergency opens no door.',
    )
  }
  const on = `Sign-in with the password is on, for one account ("${username}")`
  if (weakness === null) return good(`${on}. The password is not a default one and has at least 12 characters.`)
  const verdict = weakness === 'short' ? attention : bad
  return verdict(
    `${on}, and ADMIN_PASSWORD is ${weaknessWords[weakness]}.`,
    'Set ADMIN_PASSWORD to a long random value and restart.',
  )
}

function judgeSingleSignOn(posture: Posture): Verdict {
  const enabled = posture.snapshot.idps.filter((idp) => idp.enabled)
  const isOffered = isPasswordOffered(posture)
  if (enabled.length === 0)
    return isOffered
      ? attention(
          'No identity provider is enabled: the password is the only way to sign in.',
          'Add a provider on the page Sign-in, make one of its people an administrator, then switch admin_login_enabled off.',
        )
      : bad(
          'No identity provider is enabled and the password is off: once the open sessions end nobody can sign in.',
          'Enable a provider on the page Sign-in now, or restart with ADMIN_PASSWORD_ENABLE=true.',
        )
  const providers = `${counted(enabled.length, 'identity provider')} enabled`
  if (!isOffered) return good(`${providers}, and the password is off.`)
  return posture.facts.password.isForcedOn
    ? attention(
        `${providers}, and ADMIN_PASSWORD_ENABLE keeps the password on beside it, whatever the setting says.`,
        'Remove ADMIN_PASSWORD_ENABLE, switch admin_login_enabled off, and restart.',
      )
    : attention(
        `${providers}, and the password is on beside it.`,
        'Once an administrator has signed in through a provider, switch admin_login_enabled off. ADMIN_PASSWORD_ENABLE=true is the way back.',
      )
}

function judgeProviders({ snapshot }: Posture): Verdict {
  const enabled = snapshot.idps.filter((idp) => idp.enabled)
  if (enabled.length === 0) return good('No identity provider is enabled, so none lets anybody in.')
  const open = enabled.filter(
    ({ autoProvision, allowedDomains }) => autoProvision && (allowedDomains ?? []).length === 0,
  )
  const makers = enabled.filter(({ autoProvision, defaultRole }) => autoProvision && defaultRole === 'admin')
  if (makers.length > 0)
    return bad(
      `Everybody who signs in for the first time through ${quoted(makers.map(({ name }) => name))} becomes an administrator.`,
      'Set default_role of the provider to member, and make administrators one by one on the page People.',
    )
  if (open.length > 0)
    return attention(
      `Everybody whom ${quoted(open.map(({ name }) => name))} knows gets an account: auto_provision is on, and allowed_domains names no domain.`,
      'Name the domains of your organization in allowed_domains, or switch auto_provision off and add people yourself or by SCIM.',
    )
  return good('No enabled provider gives an account to strangers: each names its domains, or makes no accounts.')
}

function judgeAdministrators(posture: Posture): Verdict {
  const isOffered = isPasswordOffered(posture)
  const active = [...posture.snapshot.users.values()].filter(
    ({ role, active, bootstrap }) => role === 'admin' && active && (isOffered || !bootstrap),
  )
  const people = active.filter(({ bootstrap }) => !bootstrap)
  const found = `${counted(people.length, 'person', 'people')} with the role admin${isOffered ? ', and the account of the password' : ''}.`
  if (active.length === 0)
    return bad(found, 'Restart with ADMIN_PASSWORD_ENABLE=true, sign in with the password and make administrators.')
  if (people.length === 0)
    return attention(
      found,
      'Make at least two people administrators: behind one shared account the audit trail cannot tell who did what.',
    )
  if (people.length === 1)
    return attention(found, 'Make a second person an administrator, so that one absence does not lock everybody out.')
  if (people.length > MANY_ADMINISTRATORS)
    return attention(
      found,
      `Go through them on the page People. More than ${MANY_ADMINISTRATORS} are rarely needed: grants show a part of the administration without its powers.`,
    )
  return good(found)
}

function judgeProvisioning({ snapshot, stored }: Posture): Verdict {
  const enabled = snapshot.idps.filter((idp) => idp.enabled)
  if (enabled.length === 0)
    return attention(
      'No identity provider is enabled, so nobody is deactivated by one.',
      'Deactivate people who leave on the page People, or add a provider on the page Sign-in and let it provision by SCIM.',
    )
  if (stored === undefined) return notCounted('the tokens for SCIM')
  const { provisioningIdps } = stored
  if (provisioningIdps === null)
    return attention(
      'This gateway offers no provisioning, so no provider deactivates people who leave.',
      'Deactivate people who leave on the page People.',
    )
  const without = enabled.filter(({ id }) => !provisioningIdps.includes(id))
  if (without.length === 0) return good('Every enabled provider can provision by SCIM.')
  return attention(
    `${quoted(without.map(({ name }) => name))} has no token for SCIM that works: whoever leaves keeps their keys until somebody deactivates them here.`,
    'Make a token for the provider on the page Sign-in, under Provisioning, and enter it there.',
  )
}

function judgeSessionLength({ settings }: Posture): Verdict {
  const hours = settings.session_token_ttl_hours
  const found = `A session lasts ${counted(hours, 'hour')}.`
  if (hours <= USUAL_SESSION_HOURS) return good(found)
  const verdict = hours <= LONGEST_SESSION_HOURS ? attention : bad
  return verdict(
    found,
    `Set session_token_ttl_hours to ${USUAL_SESSION_HOURS} or less. Older sessions then end at once.`,
  )
}

function judgeIdleSessions({ stored }: Posture): Verdict {
  if (stored === undefined) return notCounted('the sessions')
  const found = `${counted(stored.idleSessions, 'open session')} not used for ${IDLE_DAYS} days.`
  return stored.idleSessions === 0
    ? good(found)
    : attention(found, 'Open the person on the page People and sign out what nobody uses any more.')
}

export const signInRules: readonly Rule[] = [
  {
    id: 'admin_password',
    title: 'Password of the administrator',
    why: 'Whoever knows this one name and password may change everything, and is not asked for a second factor.',
    settings: ['ADMIN_PASSWORD', 'admin_login_enabled'],
    judge: judgePassword,
  },
  {
    id: 'single_sign_on',
    title: 'Sign-in through an identity provider alone',
    why: 'A provider knows who left, asks for a second factor, and gives each administrator a name of their own.',
    settings: ['admin_login_enabled', 'ADMIN_PASSWORD_ENABLE'],
    judge: judgeSingleSignOn,
  },
  {
    id: 'provider_access',
    title: 'Whom identity providers let in',
    why: 'A provider of many organizations, or one with guests, knows more people than those who should spend your money.',
    settings: ['allowed_domains', 'auto_provision', 'default_role'],
    judge: judgeProviders,
  },
  {
    id: 'administrators',
    title: 'Administrators',
    why: 'One alone may be away when it matters; each one more is an account worth stealing.',
    settings: [],
    judge: judgeAdministrators,
  },
  {
    id: 'provisioning',
    title: 'People who leave',
    why: 'A key works for whoever has it until its person is deactivated. Provisioning does that within seconds.',
    settings: [],
    judge: judgeProvisioning,
  },
  {
    id: 'session_length',
    title: 'Length of a session',
    why: 'A stolen session works until it ends.',
    settings: ['session_token_ttl_hours'],
    judge: judgeSessionLength,
  },
  {
    id: 'idle_sessions',
    title: 'Forgotten sessions',
    why: 'A session on a machine that nobody watches any more is one that nobody would miss.',
    settings: [],
    judge: judgeIdleSessions,
  },
]
