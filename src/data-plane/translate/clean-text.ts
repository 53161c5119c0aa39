/** Takes out of the hosted service's words what tells of the operator's cloud account. */

const ARN = /\barn:aws[a-z-]*:[^\s"'`<>()[\]{},;]*[^\s"'`<>()[\]{},;.:!?]/gi
const ACCOUNT_ID = /(?<![\d.])\d{12}(?![\d.]\d|\d)/g

export function cleanProviderText(text: string): string {
  return text.replace(ARN, '[arn]').replace(ACCOUNT_ID, '[account]')
}
