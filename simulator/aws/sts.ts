import { accountOfArn, issueSession } from './accounts.ts'
import { awsError } from './aws-error.ts'
import type { Call } from './call.ts'
import { callerArn } from './resolve-model.ts'
import { escapeXml, sendXml } from './xml-reply.ts'

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/'
/** A role that assumes another role gets at most an hour. */
const CHAINED_LIMIT_SECONDS = 3600

export function assumeRole(call: Call): void {
  const form = new URLSearchParams(call.exchange.body.toString('utf8'))
  const roleArn = form.get('RoleArn') ?? ''
  const sessionName = form.get('RoleSessionName') ?? ''
  const externalId = form.get('ExternalId') ?? undefined
  const durationSeconds = Number(form.get('DurationSeconds') ?? 3600)
  checkInput(sessionName, externalId, durationSeconds, call.caller.roleArn !== undefined)
  checkTrust(call, roleArn, externalId)
  const expiresAtMs = call.state.now() + durationSeconds * 1000
  const session = issueSession(call.state.accounts, { roleArn, externalId, sessionName }, expiresAtMs)
  call.entry.roleArn = roleArn
  if (externalId !== undefined) call.entry.externalId = externalId
  const role = roleArn.slice(roleArn.lastIndexOf('/') + 1)
  const userArn = `arn:aws:sts::${accountOfArn(roleArn)}:assumed-role/${role}/${sessionName}`
  const expiration = new Date(expiresAtMs).toISOString().replace(/\.\d+Z$/, 'Z')
  reply(
    call,
    'AssumeRole',
    `<AssumedRoleUser><AssumedRoleId>AROASIMULATOR:${escapeXml(sessionName)}</AssumedRoleId><Arn>${escapeXml(userArn)}</Arn></AssumedRoleUser><Credentials><AccessKeyId>${session.credential.accessKey}</AccessKeyId><SecretAccessKey>${escapeXml(session.credential.secretKey)}</SecretAccessKey><SessionToken>${escapeXml(session.sessionToken)}</SessionToken><Expiration>${expiration}</Expiration></Credentials>`,
  )
}

function checkInput(
  sessionName: string,
  externalId: string | undefined,
  durationSeconds: number,
  isChained: boolean,
): void {
  if (!/^[\w+=,.@-]{2,64}$/.test(sessionName)) throw awsError(400, 'ValidationError', 'Invalid RoleSessionName')
  if (externalId !== undefined && !/^[\w+=,.@:/-]{2,1224}$/.test(externalId)) {
    throw awsError(400, 'ValidationError', 'Invalid ExternalId')
  }
  if (!(durationSeconds >= 900 && durationSeconds <= 43200))
    throw awsError(400, 'ValidationError', 'Invalid DurationSeconds')
  if (isChained && durationSeconds > CHAINED_LIMIT_SECONDS) {
    throw awsError(
      400,
      'ValidationError',
      'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining',
    )
  }
}

function checkTrust(call: Call, roleArn: string, externalId: string | undefined): void {
  const role = call.state.accounts.roles.get(roleArn)
  const isTrusted =
    role !== undefined &&
    (role.externalId === undefined || role.externalId === externalId) &&
    (role.trustedAccounts === undefined || role.trustedAccounts.includes(call.caller.account))
  if (isTrusted) return
  throw awsError(
    403,
    'AccessDenied',
    `User: ${callerArn(call.caller)} is not authorized to perform: sts:AssumeRole on resource: ${roleArn}`,
  )
}

export function getCallerIdentity(call: Call): void {
  const { account, accessKey } = call.caller
  reply(
    call,
    'GetCallerIdentity',
    `<Arn>${escapeXml(callerArn(call.caller))}</Arn><UserId>${escapeXml(accessKey)}</UserId><Account>${account}</Account>`,
  )
}

function reply(call: Call, action: string, result: string): void {
  const { requestId } = call.entry
  call.entry.status = 200
  call.entry.completed = true
  sendXml(
    call.exchange.response,
    `<${action}Response xmlns="${NAMESPACE}"><${action}Result>${result}</${action}Result><ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></${action}Response>`,
    requestId,
  )
}
