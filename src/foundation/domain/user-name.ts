/** Which names users may have, and when two of them could be taken for each other. */
import { hasInvisible, MAX_SUBJECT_LENGTH } from './user.ts'

/** Three characters whose normal form is an ASCII character; a name that holds one imitates another name. */
const asciiImitations = /[\u037e\u1fef\u212a]/

/** Control and invisible characters make two names look alike, so such a value counts as absent. */
export function toUserName(value: string | undefined): string | undefined {
  if (value === undefined || asciiImitations.test(value)) return undefined
  const name = value.trim().normalize('NFC')
  if (name === '' || name.length > MAX_SUBJECT_LENGTH || hasInvisible(name)) return undefined
  return name.includes('@') ? name.toLowerCase() : name
}

/** Compatibility forms and case folded: for names that must not be imitated at all. */
export function isSameReservedName(name: string, reserved: string): boolean {
  return reserved !== '' && fold(name) === fold(reserved)
}

function fold(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cf}\s]/gu, '')
    .toLowerCase()
}
