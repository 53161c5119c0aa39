/** The sign of the product, drawn in the page: as an image it would be a file and a document of its own before the first picture. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden>
      <rect width="32" height="32" rx="8" fill="#3453d1" />
      <g fill="none" stroke="#fff" strokeWidth="2.4" strokeLinecap="round">
        <path d="M5 21h22M8 21a4 4 0 0 1 8 0M16 21a4 4 0 0 1 8 0" />
        <path d="M5 13h22" opacity=".55" />
      </g>
    </svg>
  )
}
