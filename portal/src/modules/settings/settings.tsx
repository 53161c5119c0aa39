/** Runtime settings, in force within seconds on every instance, and the document that managed clients get. */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as z from 'zod/mini'
import { api } from '../../api/client.ts'
import { useGet, useWrite } from '../../api/queries.ts'
import { useSlot } from '../../app/slot.tsx'
import { Toggle } from '../../ui/controls.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { SelectField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { Card, Page } from '../../ui/layout.tsx'
import { Badge, QueryView } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type SettingText, settingTexts } from './setting-texts.ts'
import { settingsTabs } from './slots.ts'

export function SettingsPage() {
  const ownTabs = useSlot(settingsTabs)
  return (
    <Page
      title="Settings"
      lead="What is set here takes effect on every instance within seconds and needs no restart. Ports, database and other ground rules are environment variables: they need one."
    >
      <Tabs
        label="Gateway or clients"
        tabs={[
          { id: 'gateway', label: 'Gateway', content: () => <RuntimeSettings /> },
          ...ownTabs.map(({ facts, Part }) => ({ ...facts, content: () => <Part /> })),
        ]}
      />
    </Page>
  )
}

function RuntimeSettings() {
  const settings = useGet('/admin/settings')
  return (
    <Card>
      <QueryView query={settings} rows={8}>
        {(values) => (
          <ul className="flex flex-col divide-y divide-line">
            {Object.entries(values).map(([key, value]) => (
              <li key={key} className="py-4 first:pt-0 last:pb-0">
                <Setting name={key} value={value} text={settingTexts[key]} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}

function Setting({
  name,
  value,
  text,
}: {
  readonly name: string
  readonly value: unknown
  readonly text: SettingText | undefined
}) {
  const save = useSaving(name, text)
  if (text === undefined || text.kind === 'elsewhere')
    return (
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium">{text?.label ?? name}</p>
          <p className="text-12 text-text-3">{text?.text ?? 'A setting that this portal does not know.'}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Badge>{typeof value === 'string' ? value : value === null ? 'not set' : 'set'}</Badge>
          {text?.place !== undefined && (
            <Link to={text.place.path as never} className="text-accent hover:underline">
              Change under {text.place.label}
            </Link>
          )}
        </div>
      </div>
    )
  if (text.kind === 'switch') return <Switch name={name} isOn={value === true} text={text} />
  if (text.kind === 'time zone')
    return (
      <Form
        followsDefaults
        schema={zoneSchema}
        defaults={{ value: String(value) }}
        submit="Save"
        submitTone="plain"
        label={text.label}
        onSubmit={({ value: next }) => save.mutateAsync(next)}
      >
        <TextField name="value" label={text.label} hint={text.text} className="max-w-64" />
      </Form>
    )
  if (text.kind === 'choice')
    return (
      <Form
        followsDefaults
        schema={choiceSchema}
        defaults={{ value: String(value) }}
        submit="Save"
        submitTone="plain"
        label={text.label}
        onSubmit={({ value: next }) => save.mutateAsync(next)}
      >
        <SelectField name="value" label={text.label} hint={text.text} choices={text.choices ?? []} />
      </Form>
    )
  const unit = text.kind
  return (
    <Form
      followsDefaults
      schema={unit === 'US dollars' ? moneySchema : numberSchema}
      defaults={{ value: String(value) }}
      submit="Save"
      submitTone="plain"
      label={text.label}
      onSubmit={({ value: next }) => save.mutateAsync(Number(next))}
    >
      <TextField
        name="value"
        label={`${text.label}, in ${unit}`}
        hint={text.text}
        // A keypad of digits alone has no point.
        inputMode={unit === 'US dollars' ? 'decimal' : 'numeric'}
        className="max-w-40"
      />
    </Form>
  )
}

function useSaving(name: string, text: SettingText | undefined, showsErrors = true) {
  return useWrite(
    (next: unknown) => api.put('/admin/settings/{key}', { params: { path: { key: name } }, body: { value: next } }),
    { refreshes: ['/admin/settings'], done: `${text?.label ?? name} is saved.`, showsErrors },
  )
}

function Switch({ name, isOn, text }: { readonly name: string; readonly isOn: boolean; readonly text: SettingText }) {
  const [isAsking, setIsAsking] = useState(false)
  const { whenOff } = text
  const save = useSaving(name, text, false)
  const switchOff = useSaving(name, text)
  return (
    <>
      <Toggle
        label={text.label}
        hint={text.text}
        isOn={isOn}
        isBusy={save.isPending}
        onChange={(next) => (next || whenOff === undefined ? save.mutate(next) : setIsAsking(true))}
      />
      {whenOff !== undefined && (
        <Confirm
          isOpen={isAsking}
          onClose={() => setIsAsking(false)}
          title={whenOff.title}
          action="Switch off"
          onConfirm={() => switchOff.mutateAsync(false)}
        >
          {whenOff.text}
        </Confirm>
      )}
    </>
  )
}

const zoneSchema = z.object({
  value: z.string().check(z.trim(), z.regex(/^[A-Za-z][\w+/-]*$/, 'A name such as Europe/Berlin or UTC.')),
})

const choiceSchema = z.object({ value: z.string() })

const numberSchema = z.object({
  value: z.string().check(z.trim(), z.regex(/^[1-9]\d{0,4}$/, 'A whole number from 1.')),
})

const moneySchema = z.object({
  value: z.string().check(z.trim(), z.regex(/^\d{1,3}(\.\d{1,6})?$/, 'Dollars, such as 0.008, or 0.')),
})
