/** The five rates of a price: what a form asks for, and what the gateway takes. */
import * as z from 'zod/mini'
import { TextField } from '../../ui/fields.tsx'

const rate = z.string().check(z.trim(), z.regex(/^\d{1,6}(\.\d{1,6})?$/, 'Dollars, such as 3 or 0.30.'))

export const rateShape = {
  input_usd_per_mtok: rate,
  output_usd_per_mtok: rate,
  cache_read_usd_per_mtok: rate,
  cache_write_5m_usd_per_mtok: rate,
  cache_write_1h_usd_per_mtok: z.string().check(z.trim(), z.regex(/^(\d{1,6}(\.\d{1,6})?)?$/, 'Dollars, or empty.')),
}

export type RateTexts = { readonly [Name in keyof typeof rateShape]: string }

export const noRates: RateTexts = {
  input_usd_per_mtok: '',
  output_usd_per_mtok: '',
  cache_read_usd_per_mtok: '',
  cache_write_5m_usd_per_mtok: '',
  cache_write_1h_usd_per_mtok: '',
}

export function RateFields() {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField name="input_usd_per_mtok" label="Input" inputMode="decimal" />
      <TextField name="output_usd_per_mtok" label="Output" inputMode="decimal" />
      <TextField name="cache_read_usd_per_mtok" label="Cache read" inputMode="decimal" />
      <TextField name="cache_write_5m_usd_per_mtok" label="Cache write, 5 minutes" inputMode="decimal" />
      <TextField
        name="cache_write_1h_usd_per_mtok"
        label="Cache write, 1 hour"
        inputMode="decimal"
        hint="Empty: as 5 minutes."
      />
    </div>
  )
}

export function parseRates(texts: RateTexts) {
  const hour = texts.cache_write_1h_usd_per_mtok
  return {
    input_usd_per_mtok: Number(texts.input_usd_per_mtok),
    output_usd_per_mtok: Number(texts.output_usd_per_mtok),
    cache_read_usd_per_mtok: Number(texts.cache_read_usd_per_mtok),
    cache_write_5m_usd_per_mtok: Number(texts.cache_write_5m_usd_per_mtok),
    cache_write_1h_usd_per_mtok: hour === '' ? null : Number(hour),
  }
}
