-- DuckDB. Replace PLACE by a folder or by s3://BUCKET/PREFIX.
create view spend as
select * from read_parquet('PLACE/dt=*/*.parquet', hive_partitioning = true, hive_types = {'dt': date})
