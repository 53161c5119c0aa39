/** What the other account has to allow, ready to be copied. */
import { Command } from '../../ui/copy.tsx'
import { buildAssumePolicy, buildPermissionPolicy, buildTrustPolicy } from './policies.ts'

export function PolicyHelp({ roleArn, externalId }: { readonly roleArn: string; readonly externalId: string }) {
  return (
    <details className="rounded-8 border border-line px-3 py-2">
      <summary className="cursor-default font-medium">Policies for the other account</summary>
      <div className="mt-3 flex flex-col gap-4">
        <Document title="Trust of the role" text={json(buildTrustPolicy(externalId))} />
        <Document title="Permissions of the role" text={json(buildPermissionPolicy(roleArn))} />
        <Document title="Permission of the gateway’s own role" text={json(buildAssumePolicy(roleArn))} />
      </div>
    </details>
  )
}

function Document({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-13 text-text-2">{title}</p>
      <Command text={text} label={title} />
    </div>
  )
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)
