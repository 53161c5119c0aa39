/** A filter that came with the address, and goes with a click. As long as the name in it, on as many lines as that takes. */
export function FilterChip({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <button
      type="button"
      className="min-h-6 rounded-6 bg-sunken px-2 py-1 text-left text-12 [overflow-wrap:anywhere]"
      onClick={onRemove}
    >
      {text} <span aria-hidden>×</span>
      <span className="sr-only">remove this filter</span>
    </button>
  )
}
