/** The mark that editors on Windows put before a text. No reader of JSON takes it. */

export const BYTE_ORDER_MARK = '\ufeff'

export function withoutMark<T extends string | undefined>(text: T): T {
  return (text?.startsWith(BYTE_ORDER_MARK) === true ? text.slice(BYTE_ORDER_MARK.length) : text) as T
}
