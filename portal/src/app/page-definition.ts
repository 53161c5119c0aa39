/** What a page says about itself. Each page has a `*.page.ts` with one of these, and a line in a list of pages. */
import type { LucideIcon } from 'lucide-react'
import type { FunctionComponent } from 'react'
import type { Me } from '../api/session.ts'
import type { AnySlot } from './slot.tsx'

export type PageGroup = 'You' | 'Organization' | 'Platform'

export interface PageDefinition {
  /** In the hash, with `$name` for parameters: `/keys/$id`. */
  readonly path: string
  /** In the browser's tab and the palette, in sentence case. */
  readonly title: string
  /** `open` pages are shown without a session and without navigation. */
  readonly access: 'open' | 'member' | 'admin'
  /** With `admin`: whoever has one of these may open it too, and sees there what the gateway shows them. */
  readonly grants?: readonly Me['grants'][number][]
  /** With `grants`: whether such a person may open just this address. */
  readonly isTheirs?: (me: Me, pathname: string) => boolean
  /** Absent: reachable, and not listed. */
  readonly nav?: {
    readonly group: PageGroup
    /** Position within the group. */
    readonly order: number
    readonly icon: LucideIcon
    readonly label?: string
    /** The list whose open entries are counted beside the label. */
    readonly waiting?: '/admin/budget-requests'
  }
  /** `bare` pages have no navigation: one question, one answer. */
  readonly frame?: 'bare'
  /** The letter after `g` that leads here. */
  readonly shortcut?: string
  /** More words by which the palette finds it. */
  readonly keywords?: readonly string[]
  /** Places on this page for parts of extensions, which are loaded together with it. */
  readonly slots?: readonly AnySlot[]
  /** Loaded when the page is first opened: a chunk of its own. */
  readonly load: () => Promise<FunctionComponent>
}
