import assert from 'node:assert/strict'
import { test } from 'node:test'
import { App } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { CausewayStack } from './causeway-stack.ts'
import { readSettings, type Settings } from './settings.ts'

const settings: Settings = readSettings(() => undefined)

function templateOf(changes: Partial<Settings> = {}): Template {
  return Template.fromStack(new CausewayStack(new App(), 'Causeway', { ...settings, ...changes }))
}

const plain = templateOf()

test('streams may be silent for 900 seconds, and the health check asks every 15', () => {
  plain.hasResourceProperties('AWS::ElasticLoadBalancingV2::LoadBalancer', {
    LoadBalancerAttributes: Match.arrayWith([{ Key: 'idle_timeout.timeout_seconds', Value: '900' }]),
  })
  plain.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
    HealthCheckPath: '/health',
    HealthCheckIntervalSeconds: 15,
    TargetGroupAttributes: Match.arrayWith([{ Key: 'deregistration_delay.timeout_seconds', Value: '110' }]),
  })
})

test('the database is encrypted, protected, opened by IAM, and reached by the gateway alone', () => {
  plain.hasResourceProperties('AWS::RDS::DBCluster', {
    EnableIAMDatabaseAuthentication: true,
    StorageEncrypted: true,
    DeletionProtection: true,
  })
  const rules = Object.values(plain.findResources('AWS::EC2::SecurityGroupIngress'))
  const intoDatabase = rules.filter((rule) => rule['Properties'].FromPort === 5432)
  assert.equal(intoDatabase.length, 1)
  for (const rule of intoDatabase) assert.ok('SourceSecurityGroupId' in rule['Properties'])
})

test('the gateway runs with a read-only root, gets its secrets from the secret store, and has no default password', () => {
  plain.hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [
      Match.objectLike({
        ReadonlyRootFilesystem: true,
        StopTimeout: 120,
        Secrets: Match.arrayWith([
          Match.objectLike({ Name: 'ADMIN_PASSWORD' }),
          Match.objectLike({ Name: 'SECRET_KEY' }),
        ]),
        Environment: Match.arrayWith([{ Name: 'RDS_IAM_AUTH', Value: 'true' }]),
      }),
    ],
  })
})

test('figures are shown to whoever has the token, of which the stack makes one', () => {
  plain.hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [
      Match.objectLike({ Secrets: Match.arrayWith([Match.objectLike({ Name: 'METRICS_TOKEN' })]) }),
    ],
  })
})

const arn = 'arn:aws:secretsmanager:eu-west-1:111111111111:secret:webhook-a1B2c3'

test('further variables reach the gateway, and secrets only by their ARN', () => {
  const template = templateOf(
    readSettings(
      (key) =>
        ({
          environment: '{"FIRST_BYTE_TIMEOUT_SECONDS":300}',
          secretArns: { BUDGET_NOTIFICATION_URL: arn },
        })[key],
    ),
  )
  template.hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [
      Match.objectLike({
        Environment: Match.arrayWith([{ Name: 'FIRST_BYTE_TIMEOUT_SECONDS', Value: '300' }]),
        Secrets: Match.arrayWith([{ Name: 'BUDGET_NOTIFICATION_URL', ValueFrom: arn }]),
      }),
    ],
  })
  const policies = Object.entries(template.findResources('AWS::IAM::Policy'))
  const ofTasks = policies.filter(([id]) => id.startsWith('TaskExecutionRole'))
  assert.ok(JSON.stringify(ofTasks).includes(arn), 'the task may read the secret')
})

interface Statement {
  readonly Sid?: string
  readonly Action: string | readonly string[]
  readonly Resource: unknown
}

function statementsOf(template: Template): readonly Statement[] {
  const policies = Object.entries(template.findResources('AWS::IAM::Policy')).filter(([id]) =>
    id.startsWith('TaskRole'),
  )
  return policies.flatMap(([, policy]) => policy['Properties'].PolicyDocument.Statement as Statement[])
}

test('the role may do what the gateway needs and nothing else', () => {
  const actions = statementsOf(plain).flatMap(({ Action }) => Action)
  assert.deepEqual([...new Set(actions)].sort(), [
    'bedrock:CountTokens',
    'bedrock:GetInferenceProfile',
    'bedrock:InvokeModel',
    'bedrock:InvokeModelWithResponseStream',
    'bedrock:ListInferenceProfiles',
    'events:PutEvents',
    'rds-db:connect',
    'servicequotas:ListServiceQuotas',
    'sns:Publish',
  ])
  const everywhere = statementsOf(plain).filter(({ Resource }) => Resource === '*')
  assert.deepEqual(
    everywhere.map(({ Sid }) => Sid),
    ['DiscoveryAndQuotas'],
  )
})

test('tasks may pull an image of Amazon ECR, that repository alone; other registries are asked as they are', () => {
  const named = (image: string) => {
    const template = templateOf({ image })
    const policies = Object.entries(template.findResources('AWS::IAM::Policy'))
    const ofTasks = policies.filter(([id]) => id.startsWith('TaskExecutionRole'))
    const text = JSON.stringify(ofTasks.map(([, policy]) => policy['Properties'].PolicyDocument.Statement))
    const [task] = Object.values(template.findResources('AWS::ECS::TaskDefinition'))
    return { text, image: JSON.stringify(task?.['Properties'].ContainerDefinitions[0].Image) }
  }
  const registry = '222222222222.dkr.ecr.eu-west-1.amazonaws.com/tools/causeway'
  const tagged = named(`${registry}:1.9.0`)
  assert.match(tagged.text, /"ecr:BatchGetImage"/)
  assert.match(tagged.text, /:ecr:eu-west-1:222222222222:repository\/tools\/causeway"/)
  assert.match(tagged.image, /222222222222\.dkr\.ecr\.eu-west-1\..*\/tools\/causeway:1\.9\.0"/)
  const digest = `sha256:${'a'.repeat(64)}`
  assert.ok(named(`${registry}:1.9.0@${digest}`).image.includes(`/tools/causeway@${digest}`))
  const elsewhere = named('registry.example.com/causeway:1.9.0')
  assert.deepEqual([elsewhere.image, elsewhere.text.includes('ecr:')], ['"registry.example.com/causeway:1.9.0"', false])
})

test('roles of other accounts are assumed only when they are named', () => {
  const role = 'arn:aws:iam::222222222222:role/causeway-endpoint'
  const assume = statementsOf(templateOf({ endpointRoleArns: [role] })).filter(
    ({ Action }) => Action === 'sts:AssumeRole',
  )
  assert.deepEqual(
    assume.map(({ Resource }) => Resource),
    [role],
  )
})

test('with a certificate clients speak TLS and plain calls are sent there', () => {
  const secure = templateOf({ certificateArn: 'arn:aws:acm:us-east-1:111111111111:certificate/x' })
  secure.hasResourceProperties('AWS::ElasticLoadBalancingV2::Listener', { Port: 443, Protocol: 'HTTPS' })
  secure.hasResourceProperties('AWS::ElasticLoadBalancingV2::Listener', {
    Port: 80,
    DefaultActions: [Match.objectLike({ Type: 'redirect' })],
  })
})

test('every alarm tells somebody, and an address is subscribed', () => {
  const template = templateOf({ alarmEmail: 'ops@example.com' })
  const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm'))
  // Scaling brings alarms of its own, which call no person.
  const ours = alarms.filter((alarm) => alarm['Properties'].AlarmDescription !== undefined)
  assert.ok(ours.length >= 5, `${ours.length} alarms`)
  for (const alarm of ours) assert.equal(alarm['Properties'].AlarmActions.length, 1)
  template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'ops@example.com' })
})

test('somebody is told when nothing runs at all, of which no instance and no figure tells', () => {
  templateOf({}).hasResourceProperties('AWS::CloudWatch::Alarm', {
    MetricName: 'HealthyHostCount',
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    TreatMissingData: 'breaching',
    AlarmActions: Match.anyValue(),
  })
})

test('variables that the stack sets by itself, and secrets that are none, are refused', () => {
  const wrong: Record<string, unknown> = {
    environment: { DATABASE_HOST: 'elsewhere', 'log-level': 'debug', METRICS_TOKEN: 'x', LOG_FORMAT: 'text' },
    secretArns: { METRICS_TOKEN: 'my-secret', LOG_FORMAT: arn },
  }
  assert.throws(
    () => readSettings((key) => wrong[key]),
    /DATABASE_HOST, which the stack sets.*log-level, which is no name.*METRICS_TOKEN, which the stack sets.*my-secret for METRICS_TOKEN.*LOG_FORMAT stands in/s,
  )
  for (const environment of ['LOG_LEVEL=debug', [], 'null', 5])
    assert.throws(() => readSettings((key) => ({ environment })[key]), /environment must be an object/)
})

test('wrong settings are named together', () => {
  const wrong: Record<string, unknown> = { publicUrl: 'gateway', desiredCount: 0, endpointRoleArns: 'admin' }
  assert.throws(() => readSettings((key) => wrong[key]), /publicUrl must be.*\n.*desiredCount must be.*\n.*admin/s)
  assert.deepEqual(
    readSettings(
      (key) => ({ endpointRoleArns: 'arn:aws:iam::222222222222:role/a,arn:aws:iam::333333333333:role/b' })[key],
    ).endpointRoleArns.length,
    2,
  )
})
