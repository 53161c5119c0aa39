-- ClickHouse. Replace the address; credentials come from the server or from two more arguments of s3().
create view spend as
select *, toDate(extract(_path, 'dt=([0-9-]+)')) as dt
from s3('https://BUCKET.s3.REGION.amazonaws.com/PREFIX/dt=*/*.parquet', 'Parquet')
