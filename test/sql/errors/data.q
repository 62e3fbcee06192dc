CREATE TABLE bad (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = '${FILES}/bad_json', 'format' = 'json');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM bad;
+----+-------------+--------------------------------+
| op |          id |                           name |
+----+-------------+--------------------------------+
[ERROR] Could not execute SQL statement. Reason:
source default_catalog.default_database.bad, split ${FILES}/bad_json/rows.json:0: ${FILES}/bad_json/rows.json line 2: not valid JSON
Correct the record, or set 'json.ignore-parse-errors' = 'true' to skip such records.
!error

CREATE TABLE cut (id INT) WITH ('connector' = 'filesystem', 'path' = '${FILES}/truncated_parquet', 'format' = 'parquet');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM cut;
+----+-------------+
| op |          id |
+----+-------------+
[ERROR] Could not execute SQL statement. Reason:
source default_catalog.default_database.cut, split ${FILES}/truncated_parquet/part.parquet:0: ${FILES}/truncated_parquet/part.parquet: the Parquet file cannot be read: Parquet magic bytes not found in footer. Either the file is corrupted or this is not a parquet file.
Restore the file from a copy or write it again.
!error

CREATE TABLE broken (id INT) WITH ('connector' = 'delta', 'table-path' = '${FILES}/broken_log');
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.broken': table ${FILES}/broken_log: _delta_log/00000000000000000000.json line 3: not valid JSON: parse error at line 1, column 21: syntax error while parsing value - invalid string: missing closing quote; last read: '"0'
Restore this file from a copy of the table. Only the newest entry may be removed instead, which undoes its commit.
!error

SELECT 1 / x FROM (VALUES (0)) AS t(x);
+----+-------------+
| op |      EXPR$0 |
+----+-------------+
[ERROR] Could not execute SQL statement. Reason:
(1 / x): division by zero
Guard the divisor, for example with NULLIF(divisor, 0).
!error

SELECT CAST(x AS INT) FROM (VALUES ('abc')) AS t(x);
+----+-------------+
| op |      EXPR$0 |
+----+-------------+
[ERROR] Could not execute SQL statement. Reason:
cannot cast 'abc' to INT: invalid character found
Correct the value, or use TRY_CAST, which gives NULL for values that cannot be converted.
!error

ALTER TABLE bad RENAME TO good;
[ERROR] Could not execute SQL statement. Reason:
not supported yet: ALTER TABLE
ALTER TABLE bad RENAME TO good
^
docs/sql lists the statements that run today.
At script.sql:3:1
!error
