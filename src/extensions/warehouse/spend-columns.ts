/** The columns of the files, in their order. The names are public: queries of users depend on them. */

/** `usd`: dollars with nine decimals, stored as whole nano-dollars, so that sums are exact. */
export type ColumnKind = 'text' | 'whole' | 'big' | 'flag' | 'time' | 'usd'

export interface SpendColumn {
  readonly name: string
  readonly kind: ColumnKind
  /** As a reader of the documentation needs it. */
  readonly text: string
}

const column = (name: string, kind: ColumnKind, text: string): SpendColumn => ({ name, kind, text })

export const spendFileColumns = [
  column('request_id', 'text', 'Id of the request. With `round`, the key of a record'),
  column('round', 'whole', '0, or the number of the later round of a web search'),
  column('requested_at', 'time', 'When the request came, in UTC with milliseconds'),
  column('status', 'whole', 'HTTP status'),
  column('is_served', 'flag', 'Amazon Bedrock was called and the usage is charged'),
  column('user_id', 'text', 'Empty for keys without a user'),
  column('user_name', 'text', 'Name of the user when the file was written'),
  column('team_id', 'text', 'Team at the time of the request'),
  column('team_name', 'text', 'Name of the team when the file was written'),
  column('key_id', 'text', 'Virtual key, if one was used'),
  column('key_name', 'text', 'Name of the key when the file was written'),
  column('endpoint_id', 'text', 'Endpoint that was called last'),
  column('endpoint_name', 'text', 'Name of the endpoint when the file was written'),
  column('model', 'text', 'Model as the client named it'),
  column('hosted_model', 'text', 'Model or inference profile that was invoked'),
  column('session_id', 'text', 'Session, as the client said'),
  column('agent_id', 'text', 'Agent in the session'),
  column('parent_agent_id', 'text', 'Agent that started the agent'),
  column('tools', 'text', 'Tools that the response called, separated by commas'),
  column('stop_reason', 'text', 'Why the response ended'),
  column('error_type', 'text', 'Type of the error'),
  column('reason_kind', 'text', 'Kind of the failure'),
  column('streaming', 'flag', 'The response was streamed'),
  column('input_tokens', 'big', 'Input tokens without cached ones'),
  column('output_tokens', 'big', 'Output tokens'),
  column('cache_read_tokens', 'big', 'Tokens read from the prompt cache'),
  column('cache_write_5m_tokens', 'big', 'Tokens written to the cache for 5 minutes'),
  column('cache_write_1h_tokens', 'big', 'Tokens written to the cache for 1 hour'),
  column('web_searches', 'whole', 'Web searches that were charged'),
  column('cost_nano_usd', 'big', 'Cost in nano-dollars, an exact integer'),
  column('cost_usd', 'usd', 'The same cost in dollars'),
  column('rate_input_usd', 'usd', 'Price of a million input tokens'),
  column('rate_output_usd', 'usd', 'Price of a million output tokens'),
  column('rate_cache_read_usd', 'usd', 'Price of a million tokens read from the cache'),
  column('rate_cache_write_5m_usd', 'usd', 'Price of a million tokens written for 5 minutes'),
  column('rate_cache_write_1h_usd', 'usd', 'Price of a million tokens written for 1 hour'),
  column('duration_ms', 'big', 'From the first byte of the request to the end of the response'),
  column('first_token_ms', 'big', 'To the first event of a streamed response'),
  column('is_estimated', 'flag', 'The usage is an estimate'),
  column('is_aborted', 'flag', 'The client left before the end'),
  column('is_unpriced', 'flag', 'The model had no price of its own'),
  column('is_price_estimated', 'flag', 'Charged at the highest rates of the family'),
  column('is_probe', 'flag', 'A request of the gateway itself'),
  column('is_clamped', 'flag', 'A reported number was too large and was cut'),
] as const satisfies readonly SpendColumn[]

export type SpendColumnName = (typeof spendFileColumns)[number]['name']

/** A value as it comes from the database. */
export type SpendValue = string | number | boolean | null
