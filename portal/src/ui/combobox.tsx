/** A choice among more entries than a list can show: what is typed is looked up, and arrows and Enter choose. After the pattern of WAI-ARIA. */
import { clsx } from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import type { Choice } from './controls.tsx'
import { useEntered } from './use-entered.ts'

export interface Matches {
  readonly choices: readonly Choice[]
  readonly hasMore: boolean
  readonly isLoading: boolean
  readonly error: unknown
}

interface ComboboxProps {
  readonly id: string
  /** What is chosen now, in words. */
  readonly current: string
  /** The entry for no choice at all. */
  readonly none: string
  /** A hook: what fits the words. Undefined while nobody asks. */
  readonly useMatches: (words: string | undefined) => Matches
  readonly onChange: (value: string, label: string) => void
}

type Wiring = Pick<ComponentProps<'input'>, 'aria-describedby' | 'aria-invalid'>

export function Combobox({ id, current, none, useMatches, onChange, ...wiring }: ComboboxProps & Wiring) {
  const listId = useId()
  /** Undefined while the list is closed. */
  const [words, setWords] = useState<string>()
  const [active, setActive] = useState(0)
  const asked = useDeferredValue(words?.trim())
  const { choices, hasMore, isLoading, error } = useMatches(asked)
  const options = asked === '' ? [{ value: '', label: none }, ...choices] : choices
  const isOpen = words !== undefined
  /** The list is still that of other words. */
  const isOld = isLoading || asked !== words?.trim()
  const open = (text = ''): void => {
    setWords(text)
    setActive(0)
  }
  const choose = (choice: Choice | undefined): void => {
    setWords(undefined)
    if (choice !== undefined) onChange(choice.value, choice.label)
  }
  const chooseLater = useEntered(words?.trim(), isOld, () => {
    if (options[active] !== undefined) choose(options[active])
  })
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys that put a letter together, as in Japanese, are not for the list.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) open()
      else setActive((active + (event.key === 'ArrowDown' ? 1 : -1) + options.length) % Math.max(options.length, 1))
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      // Whoever typed a name and pressed Enter at once means that name, and not whoever stands first in a list of before.
      if (isOld) chooseLater()
      else choose(options[active])
    } else if (event.key === 'Escape' && isOpen) {
      // Only the list closes, not the window around it.
      event.stopPropagation()
      setWords(undefined)
    }
  }
  return (
    <div className="relative">
      <input
        {...wiring}
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && options.length > 0 ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={isOpen ? `${current} (type to search)` : undefined}
        value={words ?? current}
        onClick={() => !isOpen && open()}
        onChange={(event) => open(isOpen ? event.target.value : event.target.value.replace(current, ''))}
        onBlur={() => setWords(undefined)}
        onKeyDown={onKeyDown}
        className="control !pr-8"
      />
      <ChevronsUpDown className="pointer-events-none absolute top-2 right-2.5 size-4 text-text-3" aria-hidden />
      {isOpen && (
        <div className="appear absolute inset-x-0 top-full z-20 mt-1 min-w-56 rounded-8 border border-line bg-surface p-1 shadow-float">
          <div
            id={listId}
            role="listbox"
            tabIndex={-1}
            aria-label="Choices"
            className={clsx('max-h-64 overflow-y-auto empty:hidden', isOld && 'of-before')}
          >
            {options.map((choice, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled at the input, where the focus stays.
              <div
                key={choice.value}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                ref={index === active ? intoView : undefined}
                aria-selected={index === active}
                // The focus stays in the input, or its loss would close the list before the click.
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(choice)}
                className={clsx('min-h-7 truncate rounded-6 px-2 py-1', index === active && 'bg-sunken')}
              >
                {choice.label}
              </div>
            ))}
          </div>
          <p role="status" className="px-2 py-1 text-12 text-text-3 empty:hidden">
            {describeList(options.length, hasMore, isLoading, error)}
          </p>
        </div>
      )}
    </div>
  )
}

const intoView = (option: HTMLElement | null): void => option?.scrollIntoView({ block: 'nearest' })

function describeList(count: number, hasMore: boolean, isLoading: boolean, error: unknown): string {
  if (error !== null && error !== undefined) return 'The names could not be loaded.'
  if (isLoading) return 'Looking…'
  if (count === 0) return 'Nothing by that name.'
  return hasMore ? 'There are more: type a part of the name.' : ''
}
