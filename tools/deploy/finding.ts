/** One mistake per line; no lines mean that the check passed. `missing` names a tool without which it cannot run. */
export type Finding =
  | { readonly kind: 'mistakes'; readonly lines: readonly string[] }
  | { readonly kind: 'missing'; readonly tool: string }
