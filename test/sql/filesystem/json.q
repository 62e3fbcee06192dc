CREATE TABLE people (id INT, name STRING, age INT) WITH ('connector' = 'filesystem', 'path' = '${FILES}/people', 'format' = 'json');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM people;
+----+-------------+--------------------------------+-------------+
| op |          id |                           name |         age |
+----+-------------+--------------------------------+-------------+
| +I |           1 |                            Ann |          31 |
| +I |           2 |                            Bob |      <NULL> |
| +I |           3 |                            Zoë |          27 |
+----+-------------+--------------------------------+-------------+
Received a total of 3 rows
!ok

CREATE TABLE copy (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = '${OUT}/copy', 'format' = 'parquet');
[INFO] Execute statement succeeded.
!ok

INSERT INTO copy SELECT id, name FROM people WHERE age IS NOT NULL;
[INFO] Submitting SQL update statement to the cluster...
[INFO] SQL update statement has been successfully submitted to the cluster:
Job ID: <JOBID>
!ok

SELECT * FROM copy;
+----+-------------+--------------------------------+
| op |          id |                           name |
+----+-------------+--------------------------------+
| +I |           1 |                            Ann |
| +I |           3 |                            Zoë |
+----+-------------+--------------------------------+
Received a total of 2 rows
!ok

CREATE TABLE lenient (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = '${FILES}/bad_json', 'format' = 'json', 'json.ignore-parse-errors' = 'true');
[INFO] Execute statement succeeded.
!ok

SELECT * FROM lenient;
+----+-------------+--------------------------------+
| op |          id |                           name |
+----+-------------+--------------------------------+
| +I |           1 |                            Ann |
| +I |           3 |                            Cyd |
+----+-------------+--------------------------------+
Received a total of 2 rows
!ok
