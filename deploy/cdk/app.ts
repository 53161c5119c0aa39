/** The CDK app: reads its context, makes one stack. */
import { App } from 'aws-cdk-lib'
import { CausewayStack } from './causeway-stack.ts'
import { readSettings } from './settings.ts'

const app = new App()
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env
new CausewayStack(
  app,
  'Causeway',
  readSettings((key) => app.node.tryGetContext(key)),
  {
    // Without an account the template fits every one, and nothing has to be asked of AWS while it is made.
    ...(account === undefined || region === undefined ? {} : { env: { account, region } }),
  },
)
app.synth()
