SET 'table.dml-sync' = 'true';
[INFO] Execute statement succeeded.
!ok

CREATE TABLE nulls (id INT NOT NULL, name STRING) WITH ('connector' = 'filesystem', 'path' = '${FILES}/nulls', 'format' = 'json');
[INFO] Execute statement succeeded.
!ok

CREATE TABLE strict (id INT NOT NULL, name STRING NOT NULL) WITH ('connector' = 'filesystem', 'path' = '${OUT}/strict', 'format' = 'json');
[INFO] Execute statement succeeded.
!ok

INSERT INTO strict SELECT id, name FROM nulls;
[ERROR] Could not execute SQL statement. Reason:
Column 'id' is NOT NULL, however, a null value is being written into it.
You can set job configuration 'table.exec.sink.not-null-enforcer'='DROP' to suppress this exception and drop such records silently.
!error

SET 'table.exec.sink.not-null-enforcer' = 'DROP';
[INFO] Execute statement succeeded.
!ok

INSERT INTO strict SELECT id, name FROM nulls;
[INFO] Complete execution of the SQL update statement.
!ok

SELECT * FROM strict;
+----+-------------+--------------------------------+
| op |          id |                           name |
+----+-------------+--------------------------------+
| +I |           1 |                              a |
| +I |           4 |                              d |
+----+-------------+--------------------------------+
Received a total of 2 rows
!ok

SET 'table.exec.sink.not-null-enforcer' = 'IGNORE';
[ERROR] Could not execute SQL statement. Reason:
Invalid value for option 'table.exec.sink.not-null-enforcer': 'IGNORE' is not one of ERROR, DROP
SET 'table.exec.sink.not-null-enforcer' = 'IGNORE'
                                          ^
At script.sql:7:43
!error
