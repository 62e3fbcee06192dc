CREATE TABLE a (id INT) WITH ('connector' = 'filesytem', 'path' = '/tmp/x', 'format' = 'json');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM a;
[ERROR] Could not execute SQL statement. Reason:
Could not find any connector for identifier 'filesytem' (table 'default_catalog.default_database.a').

Available connector identifiers are:

blackhole
datagen
delta
filesystem
print
result-file
SELECT * FROM a
              ^
Did you mean 'filesystem'?
At script.sql:2:15
!error

CREATE TABLE b (id INT) WITH ('connector' = 'filesystem', 'path' = '/tmp/x', 'format' = 'json', 'json.ignore-parse-error' = 'true');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM b;
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.b': Unsupported options found for connector 'filesystem'.

Unsupported options:

json.ignore-parse-error

Supported options:

format
json.decode.json-parser.enabled
json.encode.decimal-as-plain-number
json.encode.ignore-null-fields
json.fail-on-missing-field
json.ignore-parse-errors
json.map-null-key.literal
json.map-null-key.mode
json.timestamp-format.standard
parquet.block.size
parquet.compression
parquet.enable.dictionary
parquet.page.size
parquet.utc-timezone
partition.default-name
path
sink.parallelism
sink.rolling-policy.file-size
SELECT * FROM b
              ^
'json.ignore-parse-error' is not an option. Did you mean 'json.ignore-parse-errors'?
At script.sql:3:15
!error

CREATE TABLE c (id INT) WITH ('connector' = 'filesystem', 'format' = 'json');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM c;
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.c': One or more required options are missing.

Missing required options are:

path
SELECT * FROM c
              ^
At script.sql:4:15
!error

CREATE TABLE d (id INT) WITH ('connector' = 'filesystem', 'path' = '${OUT}/none', 'format' = 'json');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM d;
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.d': there are no files at '${OUT}/none'
Check 'path', or INSERT INTO the table first.
!error

CREATE TABLE sink (id INT, name STRING) WITH ('connector' = 'blackhole');
[INFO] Execute statement succeeded.
!ok

INSERT INTO sink SELECT 'x', 'y';
[ERROR] Could not execute SQL statement. Reason:
Column types of query result and sink for 'default_catalog.default_database.sink' do not match.
Cause: Incompatible types for sink column 'id' at position 0.

Query schema: [EXPR$0: CHAR(1) NOT NULL, EXPR$1: CHAR(1) NOT NULL]
Sink schema:  [id: INT, name: STRING]
INSERT INTO sink SELECT 'x', 'y'
                 ^
Convert the column in the query with CAST(… AS INT).
At script.sql:6:18
!error

INSERT INTO sink VALUES (1);
[ERROR] Could not execute SQL statement. Reason:
Column types of query result and sink for 'default_catalog.default_database.sink' do not match.
Cause: Different number of columns.

Query schema: [EXPR$0: INT NOT NULL]
Sink schema:  [id: INT, name: STRING]
INSERT INTO sink VALUES (1)
                 ^
Give a value for each column, or name the columns: INSERT INTO t (a, b) ….
At script.sql:6:18
!error

SELECT * FROM sink;
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.sink' cannot be read: the connector 'blackhole' only writes.
SELECT * FROM sink
              ^
Use it behind INSERT INTO.
At script.sql:6:15
!error

CREATE TABLE e (id INT, t TIME) WITH ('connector' = 'delta', 'table-path' = '${OUT}/e');
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.e': column `t` has the type TIME(0), which a Delta table cannot hold
Use a type that Delta has: BOOLEAN, TINYINT to BIGINT, FLOAT, DOUBLE, DECIMAL, STRING, BYTES, DATE, TIMESTAMP(6), TIMESTAMP_LTZ(6), ARRAY, MAP, ROW.
!error

CREATE TABLE f (`a b` INT) WITH ('connector' = 'delta', 'table-path' = '${OUT}/f');
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.f': column `a b`: a name with a blank or one of ,;{}()= , tab or line end needs Delta's column mapping (table feature 'columnMapping'), which is not supported
Choose a name without these characters.
!error

CREATE TABLE g (id INT) PARTITIONED BY (dy)
  WITH ('connector' = 'delta', 'table-path' = '${OUT}/g');
[ERROR] Could not execute SQL statement. Reason:
PARTITIONED BY names column 'dy', which the table does not have
CREATE TABLE g (id INT) PARTITIONED BY (dy)
                                        ^
At script.sql:6:41
!error

CREATE TABLE h (id INT) WITH ('connector' = 'delta', 'table-path' = '${OUT}/h');
[INFO] Execute statement succeeded.
!ok

CREATE TABLE h2 (id BIGINT) WITH ('connector' = 'delta', 'table-path' = '${OUT}/h');
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.h2': a Delta table is already at ${OUT}/h, and its column `id` has the type INT, not BIGINT
Change the statement so that it describes the table that is there, or choose another path.
!error

INSERT INTO h SELECT COUNT(*) FROM (VALUES (1)) AS t(x);
[ERROR] Could not execute SQL statement. Reason:
Column types of query result and sink for 'default_catalog.default_database.h' do not match.
Cause: Incompatible types for sink column 'id' at position 0.

Query schema: [EXPR$0: BIGINT NOT NULL]
Sink schema:  [id: INT]
INSERT INTO h SELECT COUNT(*) FROM (VALUES (1)) AS t(x)
              ^
Convert the column in the query with CAST(… AS INT).
At script.sql:7:15
!error
