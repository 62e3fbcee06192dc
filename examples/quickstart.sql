-- Fills a Delta table on local disk and reads it back.
CREATE CATALOG lake WITH ('type' = 'delta-catalog', 'catalog-type' = 'in-memory');
CREATE DATABASE lake.shop;

CREATE TABLE lake.shop.orders (
  id      BIGINT,
  product STRING,
  price   DOUBLE,
  country STRING
) PARTITIONED BY (country)
WITH ('connector' = 'delta', 'table-path' = '/tmp/lakeward-quickstart/orders');

INSERT INTO lake.shop.orders VALUES
  (1, 'lamp',   34.50, 'NL'),
  (2, 'chair', 120.00, 'DE'),
  (3, 'desk',  310.00, 'NL');

SELECT country, COUNT(*) AS orders, SUM(price) AS total FROM lake.shop.orders GROUP BY country;
