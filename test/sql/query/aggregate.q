-- Row by row, as Flink emits it: +I for a new group, then -U and +U.
SELECT k, COUNT(*) AS c, SUM(v) AS s FROM (VALUES ('a', 1), ('b', 2), ('a', 3)) AS t(k, v) GROUP BY k;
+----+--------------------------------+----------------------+-------------+
| op |                              k |                    c |           s |
+----+--------------------------------+----------------------+-------------+
| +I |                              a |                    1 |           1 |
| +I |                              b |                    1 |           2 |
| -U |                              a |                    1 |           1 |
| +U |                              a |                    2 |           4 |
+----+--------------------------------+----------------------+-------------+
Received a total of 4 rows
!ok

SELECT COUNT(*) AS c FROM (VALUES (1), (2)) AS t(v);
+----+----------------------+
| op |                    c |
+----+----------------------+
| +I |                    1 |
| -U |                    1 |
| +U |                    2 |
+----+----------------------+
Received a total of 3 rows
!ok

SET 'execution.runtime-mode' = 'batch';
[INFO] Execute statement succeeded.
!ok

SELECT k, COUNT(*) AS c, SUM(v) AS s FROM (VALUES ('a', 1), ('b', 2), ('a', 3)) AS t(k, v) GROUP BY k;
+---+---+---+
| k | c | s |
+---+---+---+
| a | 2 | 4 |
| b | 1 | 2 |
+---+---+---+
2 rows in set
!ok

SELECT COUNT(*) AS c, SUM(v) AS s FROM (VALUES (1), (2)) AS t(v) WHERE v > 10;
+---+--------+
| c |      s |
+---+--------+
| 0 | <NULL> |
+---+--------+
1 row in set
!ok
