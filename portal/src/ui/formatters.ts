/** The browser's formatters, each made once: making one costs a hundred times as much as using it, and the very first loads the data of all. */

const locale = 'en'

function keeping<Options, Made>(make: (options: Options) => Made): (options: Options) => Made {
  const kept = new Map<string, Made>()
  return (options) => {
    const key = JSON.stringify(options)
    let made = kept.get(key)
    if (made === undefined) {
      made = make(options)
      kept.set(key, made)
    }
    return made
  }
}

export const numberFormat = keeping((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

const dateFormats = keeping(
  ({ locale: own, ...options }: Intl.DateTimeFormatOptions & { readonly locale: string }) =>
    new Intl.DateTimeFormat(own, options),
)

export function dateFormat(own: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return dateFormats({ locale: own, ...options })
}

let relative: Intl.RelativeTimeFormat | undefined

export function relativeFormat(): Intl.RelativeTimeFormat {
  relative ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return relative
}

/** Asked of Temporal where there is one, which knows it without a formatter: the first picture of a page needs none then. */
export function localZone(): string {
  const { Temporal } = globalThis as { Temporal?: { readonly Now: { readonly timeZoneId: () => string } } }
  return Temporal?.Now.timeZoneId() ?? dateFormat(locale, {}).resolvedOptions().timeZone
}
