CREATE CATALOG c_delta WITH ('type' = 'delta-catalog', 'catalog-type' = 'in-memory');
[INFO] Execute statement succeeded.
!ok

CREATE DATABASE c_delta.db_new;
[INFO] Execute statement succeeded.
!ok

CREATE TABLE c_delta.db_new.t_foo (c1 VARCHAR, c2 INT) WITH ('connector' = 'delta', 'table-path' = '${OUT}/t_foo/');
[INFO] Execute statement succeeded.
!ok

INSERT INTO c_delta.db_new.t_foo VALUES ('a', 42), ('longer than one', 43);
[INFO] Submitting SQL update statement to the cluster...
[INFO] SQL update statement has been successfully submitted to the cluster:
Job ID: <JOBID>
!ok

SELECT * FROM c_delta.db_new.t_foo;
+----+--------------------------------+-------------+
| op |                             c1 |          c2 |
+----+--------------------------------+-------------+
| +I |                              a |          42 |
| +I |                longer than one |          43 |
+----+--------------------------------+-------------+
Received a total of 2 rows
!ok

SELECT c1 FROM c_delta.db_new.t_foo WHERE c2 = 43;
+----+--------------------------------+
| op |                             c1 |
+----+--------------------------------+
| +I |                longer than one |
+----+--------------------------------+
Received a total of 1 row
!ok

USE CATALOG c_delta;
[INFO] Execute statement succeeded.
!ok

USE db_new;
[INFO] Execute statement succeeded.
!ok

SHOW TABLES;
+------------+
| table name |
+------------+
|      t_foo |
+------------+
1 row in set
!ok

DESCRIBE t_foo;
+------+--------+------+-----+--------+-----------+
| name |   type | null | key | extras | watermark |
+------+--------+------+-----+--------+-----------+
|   c1 | STRING | TRUE |     |        |           |
|   c2 |    INT | TRUE |     |        |           |
+------+--------+------+-----+--------+-----------+
2 rows in set
!ok
