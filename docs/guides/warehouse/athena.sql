-- Amazon Athena. The table is in the Glue catalog afterwards. Replace BUCKET/PREFIX twice, and the first day.
-- Partition projection finds new days by itself.
create external table spend (
  request_id string,
  round int,
  requested_at timestamp,
  status int,
  is_served boolean,
  user_id string,
  user_name string,
  team_id string,
  team_name string,
  key_id string,
  key_name string,
  endpoint_id string,
  endpoint_name string,
  model string,
  hosted_model string,
  session_id string,
  agent_id string,
  parent_agent_id string,
  tools string,
  stop_reason string,
  error_type string,
  reason_kind string,
  streaming boolean,
  input_tokens bigint,
  output_tokens bigint,
  cache_read_tokens bigint,
  cache_write_5m_tokens bigint,
  cache_write_1h_tokens bigint,
  web_searches int,
  cost_nano_usd bigint,
  cost_usd decimal(18,9),
  rate_input_usd decimal(18,9),
  rate_output_usd decimal(18,9),
  rate_cache_read_usd decimal(18,9),
  rate_cache_write_5m_usd decimal(18,9),
  rate_cache_write_1h_usd decimal(18,9),
  duration_ms bigint,
  first_token_ms bigint,
  is_estimated boolean,
  is_aborted boolean,
  is_unpriced boolean,
  is_price_estimated boolean,
  is_probe boolean,
  is_clamped boolean
)
partitioned by (dt string)
stored as parquet
location 's3://BUCKET/PREFIX/'
tblproperties (
  'projection.enabled' = 'true',
  'projection.dt.type' = 'date',
  'projection.dt.format' = 'yyyy-MM-dd',
  'projection.dt.range' = '2026-01-01,NOW',
  'storage.location.template' = 's3://BUCKET/PREFIX/dt=${dt}/'
)
