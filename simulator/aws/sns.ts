import { randomUUID } from 'node:crypto'
import { awsError } from './aws-error.ts'
import type { Call } from './call.ts'
import { sendXml } from './xml-reply.ts'

const MESSAGE_LIMIT_BYTES = 262_144

export function publish(call: Call): void {
  const form = new URLSearchParams(call.exchange.body.toString('utf8'))
  const topicArn = form.get('TopicArn') ?? form.get('TargetArn') ?? ''
  const message = form.get('Message') ?? ''
  const subject = form.get('Subject')
  checkTopic(call, topicArn, form)
  if (message === '') throw invalid('Invalid parameter: Empty message')
  if (Buffer.byteLength(message) > MESSAGE_LIMIT_BYTES) throw invalid('Invalid parameter: Message too long')
  if (subject !== null && !/^[\x20-\x7e]{1,100}$/.test(subject)) throw invalid('Invalid parameter: Subject')
  const messageId = randomUUID()
  call.state.recorder.publish({
    service: 'sns',
    account: call.caller.account,
    region: call.caller.region,
    accepted: true,
    message: {
      messageId,
      topicArn,
      subject,
      message,
      attributes: readAttributes(form),
      groupId: form.get('MessageGroupId'),
    },
  })
  call.entry.status = 200
  call.entry.completed = true
  const { requestId } = call.entry
  sendXml(
    call.exchange.response,
    `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>${messageId}</MessageId></PublishResult><ResponseMetadata><RequestId>${requestId}</RequestId></ResponseMetadata></PublishResponse>`,
    requestId,
  )
}

function invalid(message: string): Error {
  return awsError(400, 'InvalidParameter', message)
}

function checkTopic(call: Call, topicArn: string, form: URLSearchParams): void {
  const [arn, , service, region, account, name = ''] = topicArn.split(':')
  if (arn !== 'arn' || service !== 'sns' || name === '') throw invalid('Invalid parameter: TopicArn')
  if (region !== call.caller.region)
    throw invalid('Invalid parameter: TopicArn Reason: region does not match the endpoint')
  if (account !== call.caller.account)
    throw awsError(403, 'AuthorizationError', `User is not authorized to perform: SNS:Publish on resource: ${topicArn}`)
  if (name.startsWith('missing')) throw awsError(404, 'NotFound', 'Topic does not exist')
  if (name.endsWith('.fifo') && !form.get('MessageGroupId')) {
    throw invalid('Invalid parameter: The MessageGroupId parameter is required for FIFO topics')
  }
}

function readAttributes(form: URLSearchParams): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (let index = 1; form.has(`MessageAttributes.entry.${index}.Name`); index += 1) {
    const entry = `MessageAttributes.entry.${index}`
    attributes[form.get(`${entry}.Name`) ?? ''] = form.get(`${entry}.Value.StringValue`) ?? ''
  }
  return attributes
}
