/** The gateway on Fargate behind a load balancer that lets streams be silent for 15 minutes. */
import { Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib'
import { type SecurityGroup as Group, Peer, Port, SecurityGroup, type Vpc } from 'aws-cdk-lib/aws-ec2'
import {
  Cluster,
  ContainerInsights,
  CpuArchitecture,
  FargateService,
  FargateTaskDefinition,
  LogDrivers,
  Secret as TaskSecret,
} from 'aws-cdk-lib/aws-ecs'
import {
  ApplicationLoadBalancer,
  ApplicationProtocol,
  type ApplicationTargetGroup,
  ListenerCertificate,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import type { Role } from 'aws-cdk-lib/aws-iam'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { addTaskRole } from './access.ts'
import { allowDatabase, DATABASE_NAME, DATABASE_USER, type GatewayDatabase } from './database.ts'
import { imageOf } from './image.ts'
import type { Settings } from './settings.ts'

export interface Gateway {
  readonly loadBalancer: ApplicationLoadBalancer
  readonly targets: ApplicationTargetGroup
  readonly service: FargateService
  readonly taskRole: Role
  readonly adminSecret: Secret
}

interface GatewayParts {
  readonly vpc: Vpc
  readonly vpcCidr: string
  readonly database: GatewayDatabase
  readonly settings: Settings
}

const PORT = 8080
/** Streams may be silent this long; the client's connections stay open for longer on the gateway's side. */
const IDLE = Duration.seconds(900)
/** ECS kills a task after at most two minutes, so the drain has to fit in. */
const DRAIN_SECONDS = 110

export function addGateway(stack: Stack, { vpc, vpcCidr, database, settings }: GatewayParts): Gateway {
  const group = new SecurityGroup(stack, 'GatewayGroup', { vpc })
  allowDatabase(database, group)
  const taskRole = addTaskRole(stack, database, settings)
  const adminSecret = new Secret(stack, 'AdminPassword', {
    description: 'Password of the first administrator of Causeway',
    generateSecretString: { passwordLength: 32, excludePunctuation: true },
  })
  const secretKey = new Secret(stack, 'SecretKey', {
    description: 'Encrypts the third-party secrets that Causeway stores',
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
    removalPolicy: RemovalPolicy.RETAIN,
  })
  // The load balancer faces the internet, and /metrics without a token answers everybody.
  const metricsToken = new Secret(stack, 'MetricsToken', {
    description: 'What /metrics of Causeway wants as bearer token',
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
  })
  const task = new FargateTaskDefinition(stack, 'Task', {
    cpu: 1024,
    memoryLimitMiB: 2048,
    taskRole,
    runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64 },
    // Spend records wait here while the database is away; the size is what ECS gives at least.
    volumes: [{ name: 'data' }, { name: 'tmp' }],
  })
  const container = task.addContainer('gateway', {
    image: imageOf(stack, settings.image),
    readonlyRootFilesystem: true,
    stopTimeout: Duration.seconds(120),
    portMappings: [{ containerPort: PORT }],
    environment: {
      PROXY_HOST: '0.0.0.0',
      DATABASE_HOST: database.cluster.clusterEndpoint.hostname,
      DATABASE_NAME,
      DATABASE_USER,
      RDS_IAM_AUTH: 'true',
      AWS_REGION: stack.region,
      DRAIN_TIMEOUT_SECONDS: String(DRAIN_SECONDS),
      LOG_FORMAT: 'json',
      TRUSTED_PROXIES: vpcCidr,
      ...(settings.publicUrl === '' ? {} : { PUBLIC_URL: settings.publicUrl }),
      ...settings.environment,
    },
    secrets: {
      ADMIN_PASSWORD: TaskSecret.fromSecretsManager(adminSecret),
      SECRET_KEY: TaskSecret.fromSecretsManager(secretKey),
      METRICS_TOKEN: TaskSecret.fromSecretsManager(metricsToken),
      ...namedSecrets(stack, settings),
    },
    logging: LogDrivers.awsLogs({
      streamPrefix: 'gateway',
      logGroup: new LogGroup(stack, 'Logs', { retention: RetentionDays.THREE_MONTHS }),
    }),
  })
  container.addMountPoints(
    { sourceVolume: 'data', containerPath: '/data', readOnly: false },
    { sourceVolume: 'tmp', containerPath: '/tmp', readOnly: false },
  )
  const service = new FargateService(stack, 'Service', {
    cluster: new Cluster(stack, 'Cluster', { vpc, containerInsightsV2: ContainerInsights.ENABLED }),
    taskDefinition: task,
    desiredCount: settings.desiredCount,
    securityGroups: [group],
    minHealthyPercent: 100,
    maxHealthyPercent: 200,
    circuitBreaker: { rollback: true },
    healthCheckGracePeriod: Duration.seconds(60),
  })
  service.node.addDependency(database.ready)
  const scaling = service.autoScaleTaskCount({ minCapacity: settings.desiredCount, maxCapacity: settings.maxCount })
  // Streams last for minutes: in quickly, out slowly.
  scaling.scaleOnCpuUtilization('Cpu', {
    targetUtilizationPercent: 55,
    scaleOutCooldown: Duration.seconds(60),
    scaleInCooldown: Duration.minutes(15),
  })
  return { ...addLoadBalancer(stack, { vpc, service, group, settings }), service, taskRole, adminSecret }
}

function namedSecrets(stack: Stack, { secretArns }: Settings): Record<string, TaskSecret> {
  const found = Object.entries(secretArns).map(([name, arn]): [string, TaskSecret] => [
    name,
    TaskSecret.fromSecretsManager(Secret.fromSecretCompleteArn(stack, `Secret${name}`, arn)),
  ])
  return Object.fromEntries(found)
}

function addLoadBalancer(
  stack: Stack,
  parts: { readonly vpc: Vpc; readonly service: FargateService; readonly group: Group; readonly settings: Settings },
): Pick<Gateway, 'loadBalancer' | 'targets'> {
  const { vpc, service, settings } = parts
  const loadBalancer = new ApplicationLoadBalancer(stack, 'LoadBalancer', {
    vpc,
    internetFacing: true,
    idleTimeout: IDLE,
    dropInvalidHeaderFields: true,
  })
  const isSecure = settings.certificateArn !== ''
  const listener = loadBalancer.addListener('Listener', {
    port: isSecure ? 443 : 80,
    protocol: isSecure ? ApplicationProtocol.HTTPS : ApplicationProtocol.HTTP,
    ...(isSecure ? { certificates: [ListenerCertificate.fromArn(settings.certificateArn)] } : {}),
    open: false,
  })
  listener.connections.allowFrom(Peer.anyIpv4(), Port.tcp(isSecure ? 443 : 80), 'clients and browsers')
  if (isSecure) loadBalancer.addRedirect()
  const targets = listener.addTargets('Gateway', {
    port: PORT,
    protocol: ApplicationProtocol.HTTP,
    targets: [service],
    deregistrationDelay: Duration.seconds(DRAIN_SECONDS),
    healthCheck: {
      path: '/health',
      interval: Duration.seconds(15),
      timeout: Duration.seconds(5),
      healthyThresholdCount: 2,
      unhealthyThresholdCount: 3,
    },
  })
  return { loadBalancer, targets }
}
