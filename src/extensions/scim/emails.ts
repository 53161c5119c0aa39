/** Addresses as providers send them. One is kept for a user: the primary one, which is the one for work. */
import { type Fields, readText, requireFields } from './json.fields.ts'

const ADDRESS_LENGTH = 320

/** The primary address, else the one for work, else the first. */
export function readEmails(value: unknown): string | null {
  const emails = readEntries(value)
  return readAddress(emails.find(isPrimary) ?? emails.find(isForWork) ?? emails[0])
}

/** What takes the place of an address that is kept already; null when all of them only stand beside it. */
export function readPreferredEmail(value: unknown): string | null {
  const emails = readEntries(value)
  return readAddress(emails.find(isPrimary) ?? emails.find(isForWork) ?? emails.find(hasNoType))
}

/** Whether one of the entries is this address, by its value or, without one, by what it is for. */
export function namesEmail(value: unknown, email: string | null): boolean {
  return readEntries(value).some((one) => {
    const address = readAddress(one)
    return address === null ? isPrimary(one) || isForWork(one) : isSameEmail(address, email)
  })
}

/** In any letter case (RFC 7643 8.7.1: `caseExact` is false). */
export function isSameEmail(one: unknown, email: string | null): boolean {
  return typeof one === 'string' && one.toLowerCase() === email?.toLowerCase()
}

function readEntries(value: unknown): readonly Fields[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [new Map([['value', value]])]
  return (Array.isArray(value) ? value : [value]).map((one) => requireFields(one, 'An entry of emails'))
}

function readAddress(entry: Fields | undefined): string | null {
  return readText(entry?.get('value'), 'emails.value', ADDRESS_LENGTH)
}

function isPrimary(entry: Fields): boolean {
  return String(entry.get('primary')).toLowerCase() === 'true'
}

function isForWork(entry: Fields): boolean {
  return String(entry.get('type')).toLowerCase() === 'work'
}

function hasNoType(entry: Fields): boolean {
  const type = entry.get('type')
  return type === undefined || type === null || type === ''
}
