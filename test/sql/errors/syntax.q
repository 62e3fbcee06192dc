SELEC 1;
[ERROR] Could not execute SQL statement. Reason:
SQL syntax error at line 1, column 1: unexpected 'SELEC'; expected a statement such as SELECT, INSERT INTO or CREATE TABLE
SELEC 1
^
Did you mean SELECT?
At script.sql:1:1
!error

SELECT id FORM people;
[ERROR] Could not execute SQL statement. Reason:
SQL syntax error at line 1, column 11: unexpected 'FORM'; expected FROM, ',' or end of statement
SELECT id FORM people
          ^
Did you mean FROM?
At script.sql:1:11
!error

SELECT (1 + 2;
[ERROR] Could not execute SQL statement. Reason:
SQL syntax error at line 1, column 14: unexpected end of statement; expected ',' or ')'
SELECT (1 + 2
             ^
At script.sql:1:14
!error

CREATE TABLE t (order INT);
[ERROR] Could not execute SQL statement. Reason:
SQL syntax error at line 1, column 17: unexpected 'order'; expected the name of a column
CREATE TABLE t (order INT)
                ^
ORDER is a reserved word; as a name it is written in backticks: `order`.
At script.sql:1:17
!error
