SELECT * FROM nope;
[ERROR] Could not execute SQL statement. Reason:
Table (or view) default_database.nope does not exist in Catalog default_catalog.
SELECT * FROM nope
              ^
SHOW TABLES lists the tables that there are.
At script.sql:1:15
!error

CREATE TABLE people (id INT, name STRING) WITH ('connector' = 'filesystem', 'path' = '${FILES}/people', 'format' = 'json');
[INFO] Execute statement succeeded.
!ok

SELECT nmae FROM people;
[ERROR] Could not execute SQL statement. Reason:
Column 'nmae' not found in any table
SELECT nmae FROM people
       ^
Did you mean 'name'?
At script.sql:2:8
!error

SELECT UPER(name) FROM people;
[ERROR] Could not execute SQL statement. Reason:
No match found for function signature UPER: there is no function of this name.
SELECT UPER(name) FROM people
       ^
Did you mean 'UPPER'?
At script.sql:2:8
!error

SELECT JSON_VALUE(name, '$.a') FROM people;
[ERROR] Could not execute SQL statement. Reason:
not supported yet: the function JSON_VALUE
SELECT JSON_VALUE(name, '$.a') FROM people
       ^
SHOW FUNCTIONS lists the functions that there are.
At script.sql:2:8
!error

USE CATALOG lake;
[ERROR] Could not execute SQL statement. Reason:
A catalog with name [lake] does not exist.
SHOW CATALOGS lists the catalogs that there are.
!error

DROP TABLE nope;
[ERROR] Could not execute SQL statement. Reason:
Table (or view) default_database.nope does not exist in Catalog default_catalog.
SHOW TABLES lists the tables that there are.
!error
