/** What should wake somebody: nobody is served, many are refused, or the database is short of something. */
import { Duration, type Stack } from 'aws-cdk-lib'
import { Alarm, type AlarmProps, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { HttpCodeTarget } from 'aws-cdk-lib/aws-elasticloadbalancingv2'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import type { GatewayDatabase } from './database.ts'
import type { Gateway } from './gateway.ts'
import type { Settings } from './settings.ts'

interface AlarmParts {
  readonly gateway: Gateway
  readonly database: GatewayDatabase
  readonly settings: Settings
}

interface Watched {
  readonly id: string
  readonly text: string
  readonly metric: IMetric
  readonly limit: Pick<AlarmProps, 'threshold' | 'comparisonOperator' | 'treatMissingData'>
  readonly minutes: number
}

const above = (threshold: number): Watched['limit'] => ({
  threshold,
  comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
})

/** Or without a figure: where nothing runs, nothing is counted. */
const below = (threshold: number): Watched['limit'] => ({
  threshold,
  comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.BREACHING,
})

export function addAlarms(stack: Stack, { gateway, database, settings }: AlarmParts): void {
  const topic = new Topic(stack, 'Alarms', { displayName: 'Causeway alarms' })
  if (settings.alarmEmail !== '') topic.addSubscription(new EmailSubscription(settings.alarmEmail))
  const period = Duration.minutes(1)
  const { targets, service } = gateway
  const watched: readonly Watched[] = [
    {
      id: 'NobodyServes',
      text: 'No instance answers its health check, or none runs: the load balancer refuses every call.',
      metric: targets.metrics.healthyHostCount({ period, statistic: 'max' }),
      limit: below(1),
      minutes: 3,
    },
    {
      id: 'NotServing',
      text: 'An instance does not answer its health check.',
      metric: targets.metrics.unhealthyHostCount({ period, statistic: 'max' }),
      limit: above(0),
      minutes: 5,
    },
    {
      id: 'Failures',
      text: 'More than 25 calls a minute end with a 5xx.',
      metric: targets.metrics.httpCodeTarget(HttpCodeTarget.TARGET_5XX_COUNT, { period }),
      limit: above(25),
      minutes: 5,
    },
    {
      id: 'Busy',
      text: 'The processors are above 85 %; scaling does not keep up.',
      metric: service.metricCpuUtilization({ period }),
      limit: above(85),
      minutes: 10,
    },
    {
      id: 'Memory',
      text: 'Memory is above 85 %.',
      metric: service.metricMemoryUtilization({ period }),
      limit: above(85),
      minutes: 10,
    },
    {
      id: 'DatabaseBusy',
      text: 'The database uses more than 90 % of its greatest capacity.',
      metric: database.cluster.metric('ACUUtilization', { period }),
      limit: above(90),
      minutes: 15,
    },
  ]
  for (const { id, text, metric, limit, minutes } of watched)
    new Alarm(stack, `${id}Alarm`, {
      alarmDescription: text,
      metric,
      evaluationPeriods: minutes,
      ...limit,
    }).addAlarmAction(new SnsAction(topic))
}
