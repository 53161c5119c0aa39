/** Sets a budget: how much, for how long, and what happens at which mark, drawn while one chooses. */
import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { useWrite } from '../../api/queries.ts'
import { SlotParts } from '../../app/slot.tsx'
import { BudgetRuler } from '../../charts/budget-ruler.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField, TextAreaField, TextField } from '../../ui/fields.tsx'
import { Form } from '../../ui/form.tsx'
import { isPreset, parseRules, presets, type Rule, toMarks, writeRules } from './budget-rules.ts'
import { type BudgetBody, type BudgetSubject, budgetPaths, nameOf, putBudget } from './budget-subject.ts'
import { amountPattern, dollars } from './dollars.ts'
import { budgetPreviews, type TriedTerms } from './slots.ts'

export interface BudgetTerms {
  readonly limit_usd: number
  readonly period: 'daily' | 'weekly' | 'monthly'
  readonly policy: string | readonly Rule[]
  readonly member_limit_usd?: number | null
  readonly spend_usd?: number
}

const schema = z
  .object({
    limit_usd: dollars,
    period: z.enum(['daily', 'weekly', 'monthly']),
    policy: z.enum(['standard', 'soft', 'shaped', 'own']),
    rules: z.string(),
    member_limit_usd: z.string().check(
      z.trim(),
      z.refine((text) => text === '' || (amountPattern.test(text) && Number(text) > 0), 'Dollars, or empty.'),
    ),
  })
  .check((context) => {
    const { policy, rules } = context.value
    const { problem } = parseRules(rules)
    if (policy === 'own' && problem !== undefined)
      context.issues.push({ code: 'custom', input: rules, path: ['rules'], message: problem })
  })

type Values = z.infer<typeof schema>

const periods = [
  { value: 'daily', label: 'Day' },
  { value: 'weekly', label: 'Week, from Monday' },
  { value: 'monthly', label: 'Month' },
] as const

const policies = [
  { value: 'standard', label: 'Standard: notify at 80%, stop at 100%' },
  { value: 'soft', label: 'Soft: notify at 80% and 100%, stop at 150%' },
  { value: 'shaped', label: 'Shaped: notify at 80%, slow down at 100%, stop at 150%' },
  { value: 'own', label: 'Own rules' },
] as const

export function BudgetForm({
  subject,
  terms,
  onClose,
}: {
  readonly subject: BudgetSubject
  readonly terms: BudgetTerms | undefined
  readonly onClose: () => void
}) {
  const put = useWrite((values: Values) => putBudget(subject, toBody(values)), {
    refreshes: budgetPaths,
    done: `The budget of ${nameOf(subject)} is saved.`,
    onDone: onClose,
    showsErrors: true,
  })
  const policy = terms?.policy ?? 'standard'
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Budget of ${nameOf(subject)}`}
      lead="What was spent before in the running period counts. Periods begin at 00:00 UTC."
    >
      <Form
        schema={schema}
        defaults={{
          limit_usd: terms === undefined ? '' : String(terms.limit_usd),
          period: terms?.period ?? 'monthly',
          policy: isPreset(policy) ? policy : 'own',
          rules: writeRules(typeof policy === 'string' ? presets.shaped : policy),
          member_limit_usd: terms?.member_limit_usd == null ? '' : String(terms.member_limit_usd),
        }}
        submit="Save budget"
        onCancel={onClose}
        onSubmit={(values) => put.mutateAsync(values)}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField name="limit_usd" label="Limit in US dollars" inputMode="decimal" />
          <SelectField name="period" label="For each" choices={periods} />
        </div>
        <SelectField name="policy" label="What happens" choices={policies} />
        <RulesPart spendUsd={terms?.spend_usd ?? 0} />
        <SlotParts
          slot={budgetPreviews}
          props={{
            scope: subject.kind,
            subjectId: subject.kind === 'default' ? undefined : subject.id,
            read: (values) => triedTerms(values, 'limit_usd'),
          }}
        />
        {subject.kind === 'team' && (
          <TextField
            name="member_limit_usd"
            label="Limit for each member"
            inputMode="decimal"
            hint="US dollars in the same period, for members without a budget of their own. Empty: none."
          />
        )}
        {subject.kind === 'team' && (
          <SlotParts
            slot={budgetPreviews}
            props={{
              scope: 'members',
              subjectId: subject.id,
              read: (values) => triedTerms(values, 'member_limit_usd'),
            }}
          />
        )}
      </Form>
    </Dialog>
  )
}

function RulesPart({ spendUsd }: { readonly spendUsd: number }) {
  const { policy, rules, limit_usd: limit } = useWatch() as Values
  const chosen = isPreset(policy) ? presets[policy] : parseRules(rules).rules
  return (
    <>
      {policy === 'own' && (
        <TextAreaField
          name="rules"
          label="Rules"
          hint="One for each line, ascending: 80 notify, 100 shape 5 (calls a minute), 150 block."
        />
      )}
      {chosen.length > 0 && (
        <BudgetRuler
          label="Marks on the way to the limit"
          spendUsd={spendUsd}
          limitUsd={Number(limit) || 0}
          state="ok"
          marks={toMarks(chosen)}
        />
      )}
    </>
  )
}

/** What is in the form, with one of its limits; undefined while it could not be saved. */
function triedTerms(
  values: Readonly<Record<string, string>>,
  field: 'limit_usd' | 'member_limit_usd',
): TriedTerms | undefined {
  const limit = dollars.safeParse(values[field])
  const { period, policy, rules } = values as Values
  if (!limit.success || (policy === 'own' && parseRules(rules).problem !== undefined)) return undefined
  const { limit_usd, ...terms } = toBody({ limit_usd: limit.data, period, policy, rules, member_limit_usd: '' })
  return { limit_usd, period: terms.period, policy: terms.policy }
}

function toBody({ limit_usd, period, policy, rules, member_limit_usd: member }: Values): Required<BudgetBody> {
  return {
    limit_usd: Number(limit_usd),
    period,
    policy: policy === 'own' ? (parseRules(rules).rules as { at_percent: number; action: 'notify' }[]) : policy,
    member_limit_usd: member === '' ? null : Number(member),
  }
}
