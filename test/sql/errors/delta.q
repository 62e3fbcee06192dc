CREATE TABLE higher (id INT) WITH ('connector' = 'delta', 'table-path' = '${FILES}/higher_protocol');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM higher;
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.higher': table ${FILES}/higher_protocol cannot be read here: it uses the table feature 'variantType', which is not supported
SELECT * FROM higher
              ^
Its schema and properties can be looked at; for its rows use an engine that has the feature, or let that engine drop the feature (ALTER TABLE … DROP FEATURE).
At script.sql:2:15
!error

INSERT INTO higher VALUES (1);
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.higher': table ${FILES}/higher_protocol cannot be written here: it uses the table features 'variantType', 'rowTracking', which are not supported
INSERT INTO higher VALUES (1)
            ^
Its schema and properties can be looked at; for its rows use an engine that has the feature, or let that engine drop the feature (ALTER TABLE … DROP FEATURE).
At script.sql:2:13
!error

CREATE TABLE t (id INT) WITH ('connector' = 'delta', 'table-path' = '${OUT}/t', 'sink.schema-evolution' = 'add-columns');
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.t': not supported yet: 'sink.schema-evolution' = 'add-columns'
Leave it at 'fail', and add the columns to the table first.
!error

CREATE TABLE t (id INT) WITH ('connector' = 'delta', 'table-path' = '${OUT}/t', 'sink.schema-evolution' = 'merge');
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.t': Invalid value for option 'sink.schema-evolution': 'merge' is not one of fail, add-columns
!error

CREATE TABLE t (id INT) WITH ('connector' = 'delta', 'table-path' = '${OUT}/t', 'sink.schema-evolution' = 'fail');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM t /*+ OPTIONS('versionAsOf' = '7') */;
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.t': table ${OUT}/t has no version 7
SELECT * FROM t /*+ OPTIONS('versionAsOf' = '7') */
              ^
The newest version is 0.
At script.sql:3:15
!error

CREATE TABLE u (id INT, ID INT) WITH ('connector' = 'delta', 'table-path' = '${OUT}/u');
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.u': columns `id` and `ID` differ only by upper and lower case; in a Delta table they would be one column
Rename one of them.
!error

CREATE TABLE u (id INT, dy DATE) PARTITIONED BY (id, dy) WITH ('connector' = 'delta', 'table-path' = '${OUT}/u');
[ERROR] Could not execute SQL statement. Reason:
Table 'default_catalog.default_database.u': a Delta table cannot be partitioned by all of its columns
Leave at least one column out of PARTITIONED BY.
!error

INSERT OVERWRITE t VALUES (1);
[ERROR] Could not execute SQL statement. Reason:
INSERT OVERWRITE requires a table whose connector can replace its contents.
INSERT OVERWRITE t VALUES (1)
                 ^
Use INSERT INTO.
At script.sql:3:18
!error

INSERT INTO t SELECT CAST(COUNT(*) AS INT) FROM (VALUES (1)) AS v(x) GROUP BY x;
[ERROR] Could not execute SQL statement. Reason:
Table sink 'default_catalog.default_database.t' doesn't support consuming update changes which is produced by node GroupAggregate(groupBy=[x], select=[x, COUNT(*) AS EXPR$0])
Rows of this table can only be added. Run the query to its end with SET 'execution.runtime-mode' = 'batch', which writes each result once, or write into a table that takes changes.
!error
