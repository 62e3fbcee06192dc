CREATE TABLE t (id INT, region STRING) PARTITIONED BY (region) WITH ('connector' = 'delta', 'table-path' = '${OUT}/t');
[INFO] Execute statement succeeded.
!ok

INSERT INTO t VALUES (1, 'eu'), (2, CAST(NULL AS STRING)), (3, 'a/b=c');
[INFO] Submitting SQL update statement to the cluster...
[INFO] SQL update statement has been successfully submitted to the cluster:
Job ID: <JOBID>
!ok

SELECT region, COUNT(*) AS n FROM t GROUP BY region;
+----+--------------------------------+----------------------+
| op |                         region |                    n |
+----+--------------------------------+----------------------+
| +I |                         <NULL> |                    1 |
| +I |                          a/b=c |                    1 |
| +I |                             eu |                    1 |
+----+--------------------------------+----------------------+
Received a total of 3 rows
!ok

SELECT id FROM t WHERE region = 'a/b=c';
+----+-------------+
| op |          id |
+----+-------------+
| +I |           3 |
+----+-------------+
Received a total of 1 row
!ok
