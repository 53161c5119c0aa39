/** Aurora PostgreSQL that the gateway opens with IAM tokens: no password of it is stored anywhere in the gateway. */
import { Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib'
import { Port, SecurityGroup, SubnetType, type Vpc } from 'aws-cdk-lib/aws-ec2'
import type { IGrantable } from 'aws-cdk-lib/aws-iam'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import {
  AuroraPostgresEngineVersion,
  ClusterInstance,
  Credentials,
  DatabaseCluster,
  DatabaseClusterEngine,
} from 'aws-cdk-lib/aws-rds'
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources'

export const DATABASE_NAME = 'proxy'
export const DATABASE_USER = 'proxy'

export interface GatewayDatabase {
  readonly cluster: DatabaseCluster
  readonly securityGroup: SecurityGroup
  /** The user has been made when this one is there. */
  readonly ready: AwsCustomResource
  readonly grantConnect: (grantee: IGrantable) => void
}

export function addDatabase(stack: Stack, vpc: Vpc): GatewayDatabase {
  const securityGroup = new SecurityGroup(stack, 'DatabaseGroup', { vpc, allowAllOutbound: false })
  const cluster = new DatabaseCluster(stack, 'Database', {
    engine: DatabaseClusterEngine.auroraPostgres({ version: AuroraPostgresEngineVersion.VER_17_5 }),
    writer: ClusterInstance.serverlessV2('writer'),
    readers: [ClusterInstance.serverlessV2('reader', { scaleWithWriter: true })],
    serverlessV2MinCapacity: 0.5,
    serverlessV2MaxCapacity: 16,
    vpc,
    vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
    securityGroups: [securityGroup],
    credentials: Credentials.fromGeneratedSecret('owner'),
    defaultDatabaseName: DATABASE_NAME,
    iamAuthentication: true,
    enableDataApi: true,
    storageEncrypted: true,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.SNAPSHOT,
    backup: { retention: Duration.days(14) },
    cloudwatchLogsExports: ['postgresql'],
  })
  return {
    cluster,
    securityGroup,
    ready: addUser(stack, cluster),
    grantConnect: (grantee) => cluster.grantConnect(grantee, DATABASE_USER),
  }
}

/** IAM sign-in needs a database user, which only SQL can make; the Data API runs it without a machine in the VPC. */
function addUser(stack: Stack, cluster: DatabaseCluster): AwsCustomResource {
  const secret = cluster.secret
  if (secret === undefined) throw new Error('the cluster was made without a generated secret')
  const sql = [
    'DO $$ BEGIN',
    `IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${DATABASE_USER}') THEN CREATE ROLE ${DATABASE_USER} LOGIN; END IF;`,
    `GRANT rds_iam TO ${DATABASE_USER};`,
    `GRANT ALL ON DATABASE ${DATABASE_NAME} TO ${DATABASE_USER};`,
    `GRANT ALL ON SCHEMA public TO ${DATABASE_USER};`,
    'END $$',
  ].join(' ')
  const call = {
    service: 'rds-data',
    action: 'ExecuteStatement',
    parameters: {
      resourceArn: cluster.clusterArn,
      secretArn: secret.secretArn,
      database: DATABASE_NAME,
      sql,
    },
    physicalResourceId: PhysicalResourceId.of('causeway-database-user'),
  }
  const ready = new AwsCustomResource(stack, 'DatabaseUser', {
    onCreate: call,
    onUpdate: call,
    installLatestAwsSdk: false,
    policy: AwsCustomResourcePolicy.fromStatements([
      new PolicyStatement({ actions: ['rds-data:ExecuteStatement'], resources: [cluster.clusterArn] }),
      new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secret.secretArn] }),
    ]),
  })
  ready.node.addDependency(cluster)
  return ready
}

export function allowDatabase(database: GatewayDatabase, from: SecurityGroup): void {
  database.securityGroup.addIngressRule(from, Port.tcp(5432), 'the gateway')
}
