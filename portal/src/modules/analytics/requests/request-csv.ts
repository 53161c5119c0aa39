/** The columns of the request log as a file: whole numbers and times as the gateway has them. */
import type { CsvColumn } from '../../../ui/table-export.ts'
import type { LoggedRequest } from './request-facts.tsx'

export const requestCsv: readonly CsvColumn<LoggedRequest>[] = [
  { header: 'at', value: ({ at }) => at },
  { header: 'request_id', value: (request) => request.request_id },
  { header: 'status', value: ({ status }) => status },
  { header: 'error_type', value: (request) => request.error_type },
  { header: 'user', value: ({ user }) => user },
  { header: 'team', value: ({ team }) => team },
  { header: 'key', value: ({ key }) => key },
  { header: 'model', value: ({ model }) => model },
  { header: 'endpoint', value: ({ endpoint }) => endpoint },
  { header: 'input_tokens', value: ({ tokens }) => tokens.input },
  { header: 'output_tokens', value: ({ tokens }) => tokens.output },
  { header: 'cache_read_tokens', value: ({ tokens }) => tokens.cache_read },
  { header: 'cache_write_5m_tokens', value: ({ tokens }) => tokens.cache_write_5m },
  { header: 'cache_write_1h_tokens', value: ({ tokens }) => tokens.cache_write_1h },
  { header: 'cost_usd', value: (request) => request.cost_usd },
  { header: 'first_token_ms', value: (request) => request.first_token_ms },
  { header: 'duration_ms', value: (request) => request.duration_ms },
  { header: 'session_id', value: (request) => request.session_id },
]
