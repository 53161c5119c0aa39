/** Load balancer, gateway and database in one VPC. The parts are in files of their own; this one joins them. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib'
import { FlowLogDestination, IpAddresses, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2'
import type { Construct } from 'constructs'
import { addAlarms } from './alarms.ts'
import { addDatabase } from './database.ts'
import { addGateway } from './gateway.ts'
import type { Settings } from './settings.ts'

const VPC_CIDR = '10.42.0.0/16'

export class CausewayStack extends Stack {
  constructor(scope: Construct, id: string, settings: Settings, props: StackProps = {}) {
    super(scope, id, { description: 'Causeway: a gateway from coding assistants to Amazon Bedrock', ...props })
    const vpc = new Vpc(this, 'Vpc', {
      ipAddresses: IpAddresses.cidr(VPC_CIDR),
      maxAzs: 2,
      natGateways: 1,
      flowLogs: { rejected: { destination: FlowLogDestination.toCloudWatchLogs() } },
      subnetConfiguration: [
        { name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 24 },
        { name: 'gateway', subnetType: SubnetType.PRIVATE_WITH_EGRESS, cidrMask: 22 },
        { name: 'database', subnetType: SubnetType.PRIVATE_ISOLATED, cidrMask: 26 },
      ],
    })
    const database = addDatabase(this, vpc)
    const gateway = addGateway(this, { vpc, vpcCidr: VPC_CIDR, database, settings })
    addAlarms(this, { gateway, database, settings })

    const address = settings.publicUrl || `http://${gateway.loadBalancer.loadBalancerDnsName}`
    new CfnOutput(this, 'PortalUrl', { value: `${address}/portal` })
    new CfnOutput(this, 'LoadBalancerName', { value: gateway.loadBalancer.loadBalancerDnsName })
    new CfnOutput(this, 'FirstPasswordCommand', {
      value: `aws secretsmanager get-secret-value --secret-id ${gateway.adminSecret.secretName} --query SecretString --output text`,
    })
    new CfnOutput(this, 'TaskRoleArn', {
      value: gateway.taskRole.roleArn,
      description: 'Roles in other accounts must trust this one.',
    })
  }
}
