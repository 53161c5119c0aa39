/** What to do about a failed request, with the portal page that helps. */
import type { FailureKind, FailureReason } from './failure-reason.ts'

/** Users cannot open the pages of administrators, and cannot fix what those fix. */
export type HintReader = 'user' | 'admin'

export interface Hint {
  readonly text: string
  /** An address on the gateway. */
  readonly link: string
}

type Hints = Readonly<Record<HintReader, Hint>>

const page = (path: string): string => `/portal#${path}`
const home = page('/')

function makeHints(user: readonly [text: string, link: string], admin: readonly [text: string, link: string]): Hints {
  return { user: { text: user[0], link: user[1] }, admin: { text: admin[0], link: admin[1] } }
}

const hintsByKind: Readonly<Record<FailureKind, Hints>> = {
  budget: makeHints(
    ['Wait until the budget resets, or request an increase on your home page.', home],
    ['Raise the limit or add a temporary increase under Budgets, or wait until the budget resets.', page('/budgets')],
  ),
  rate_limit: makeHints(
    ['Send fewer requests per minute, or ask an administrator for a higher rate limit.', home],
    ['Raise the rate limit of the key under Keys, or have the client send fewer requests per minute.', page('/keys')],
  ),
  token_limit: makeHints(
    ['Wait a minute and send fewer or shorter requests, or ask an administrator for a higher token limit.', home],
    ['Raise the token limit, or have the client send fewer or shorter requests.', page('/keys')],
  ),
  concurrency: makeHints(
    ['Wait until a running request ends, or ask an administrator for a higher limit.', home],
    ['Raise the limit for concurrent requests, or have the client run fewer requests in parallel.', page('/keys')],
  ),
  model_access: makeHints(
    ['Choose another model. GET /v1/models lists the models that you can use.', page('/connect')],
    [
      'Check under Models what the name maps to, that an endpoint offers the model, and that the key may use it.',
      page('/models'),
    ],
  ),
  credential: makeHints(
    ['Sign in again or create a new key, then update your client.', page('/connect')],
    ['Check under Keys and Users that the credential is active. The user may need a new key.', page('/keys')],
  ),
  invalid_request: makeHints(
    ['Change the request as the message says. If you did not write it yourself, update your client.', page('/connect')],
    ['The client must send a different request. Check the client version and the settings it gets.', page('/requests')],
  ),
  throttled_by_aws: makeHints(
    ['Try again in a minute. If it keeps happening, ask an administrator for more capacity.', home],
    [
      'Compare the quotas of the endpoint with its traffic, then request more quota or add an endpoint.',
      page('/endpoints'),
    ],
  ),
  aws_access: makeHints(
    ['Ask an administrator. The gateway itself has no access to this model in AWS.', home],
    [
      'Check the permissions of the endpoint, and model access for its account and Region in Amazon Bedrock.',
      page('/endpoints'),
    ],
  ),
  aws_unavailable: makeHints(
    ['Try again in a few minutes. Amazon Bedrock reported an error of its own.', home],
    ['Check the AWS Health Dashboard. A second endpoint in another Region keeps requests going.', page('/endpoints')],
  ),
  guardrail: makeHints(
    ['Change the content that the guardrail blocks, or ask an administrator about the guardrail.', home],
    [
      'Check the guardrail and its version in Amazon Bedrock for the account and Region of the endpoint.',
      page('/endpoints'),
    ],
  ),
  timeout: makeHints(
    ['Try again. For long answers, use streaming.', home],
    ['Check the latency of the endpoint. If it stays high, move traffic to another endpoint.', page('/endpoints')],
  ),
  network: makeHints(
    ['Try again. If it keeps happening, tell an administrator that Amazon Bedrock is not reachable.', home],
    [
      'Check the network between the gateway and the endpoint: DNS, proxies, firewalls and VPC endpoints.',
      page('/endpoints'),
    ],
  ),
  client_left: makeHints(
    ['Send the request again if you did not cancel it. Check the timeout of your client.', page('/me/requests')],
    [
      'Usually the user canceled. If not, check timeouts of the client and of proxies before the gateway.',
      page('/requests'),
    ],
  ),
  gateway: makeHints(
    ['Try again in a moment. If it keeps happening, send the request ID to an administrator.', home],
    ['Check the Health page, and search the gateway log for the request ID.', page('/health')],
  ),
}

/** Where the kind alone does not say what to do. */
const hintsByCode: Readonly<Record<string, Hints>> = {
  'budget/budget_shaped': makeHints(
    ['Slow down until the budget resets, or request an increase on your home page.', home],
    ['Raise the limit or change the throttling rule under Budgets, or wait until the budget resets.', page('/budgets')],
  ),
  'model_access/model_without_price': makeHints(
    ['Choose another model, or ask an administrator to set a price for this one.', page('/connect')],
    ['Set a price for the model under Models, or change the setting for models without a price.', page('/models')],
  ),
  'credential/virtual_keys_disabled': makeHints(
    ['Sign in through your identity provider. Virtual keys are off on this gateway.', page('/connect')],
    ['Turn virtual keys on under Settings, or have users sign in.', page('/settings')],
  ),
  'credential/user_inactive': makeHints(
    ['Ask an administrator to reactivate your account.', home],
    ['Reactivate the user under Users if the user should have access.', page('/users')],
  ),
  'credential/not_provisioned': makeHints(
    ['Ask an administrator to add you.', home],
    ['Add the user under Users, or let the identity provider create users on first sign-in.', page('/users')],
  ),
  'invalid_request/body_too_large': makeHints(
    ['Shorten the conversation or send smaller files.', page('/connect')],
    ['The client must send a smaller request. Shortening the conversation helps.', page('/requests')],
  ),
  'aws_access/ExpiredTokenException': makeHints(
    ['Ask an administrator. The AWS credentials of the gateway have expired.', home],
    ['Renew the AWS credentials of the gateway, or check the role of the endpoint.', page('/endpoints')],
  ),
  'aws_access/FTUFormNotFilled': makeHints(
    ['Ask an administrator. The AWS account has not been approved for this model.', home],
    [
      'Submit the use case details for Anthropic models in the Amazon Bedrock console of the account.',
      page('/endpoints'),
    ],
  ),
  'throttled_by_aws/ServiceQuotaExceededException': makeHints(
    ['Ask an administrator for more capacity. The AWS account has reached its quota.', home],
    ['Request a higher quota in the AWS account of the endpoint, or add an endpoint.', page('/endpoints')],
  ),
  'gateway/no_endpoint': makeHints(
    ['Ask an administrator. No endpoint is available to your team.', home],
    ['Enable an endpoint, or assign one to the team of the user.', page('/endpoints')],
  ),
  'gateway/overloaded': makeHints(
    ['Try again in a moment. The gateway is at its limit.', home],
    ['Add gateway instances, or look for a client that sends far too many requests.', page('/health')],
  ),
  'gateway/database_unavailable': makeHints(
    ['Try again in a moment. The database of the gateway does not respond.', home],
    ['Check the database connection on the Health page.', page('/health')],
  ),
}

export function findHint({ kind, code }: Pick<FailureReason, 'kind' | 'code'>, reader: HintReader): Hint {
  return (hintsByCode[`${kind}/${code}`] ?? hintsByKind[kind])[reader]
}
