/** What must be right about topCustomers, whatever its speed. The tests and the scorer both go through this list. */

import assert from 'node:assert/strict';
import { makeOrders } from './orders.js';

const HEADER = 'date,customer,amount\n';
const one = (name, orders, total, lastOrder) => ({ name, orders, total, lastOrder });

/** Each check gets the function and throws where it is wrong. */
export const checks = {
  'an empty export has no customers': (topCustomers) => {
    assert.deepEqual(topCustomers('', 3), []);
    assert.deepEqual(topCustomers(HEADER, 3), []);
  },
  'orders of one customer are added up': (topCustomers) => {
    const csv = `${HEADER}2025-03-01,Mary Bennet,10.10\n2025-01-09,Mary Bennet,0.20\n`;
    assert.deepEqual(topCustomers(csv, 3), [one('Mary Bennet', 2, '£10.30', '2025-03-01')]);
  },
  'spellings of one name are one customer': (topCustomers) => {
    const csv = `${HEADER}2025-01-01, mary  BENNET,1\n2025-01-02,Mary Bennet,1\n2025-01-03,Zoe\u0301 o'brien-king,1\n2025-01-04,Dr. ZOÉ O\u2019BRIEN-KING,2\n`;
    assert.deepEqual(topCustomers(csv, 9), [one("Zoé O'Brien-King", 2, '£3.00', '2025-01-04'), one('Mary Bennet', 2, '£2.00', '2025-01-02')]);
  },
  'equal totals stand in the order of the names': (topCustomers) => {
    const csv = `${HEADER}2025-01-01,Zoe,5\n2025-01-01,Émile,5\n2025-01-01,Fitz,5\n2025-01-01,Dag,5\n`;
    assert.deepEqual(topCustomers(csv, 3).map((customer) => customer.name), ['Dag', 'Émile', 'Fitz']);
  },
  'quoted fields hold commas, quotes and line breaks': (topCustomers) => {
    const csv = `${HEADER}2025-01-01,"bennet, ""lizzy""","1,234,567.89"\n2025-01-02,"kitty\nbennet",1\n`;
    assert.deepEqual(topCustomers(csv, 2), [one('Bennet, "Lizzy"', 1, '£1,234,567.89', '2025-01-01'), one('Kitty Bennet', 1, '£1.00', '2025-01-02')]);
  },
  'line ends of Windows and a missing last one are fine': (topCustomers) => {
    const csv = 'date,customer,amount\r\n2025-01-01,Mary,1.50\r\n\r\n2025-01-02,Kitty,1.49';
    assert.deepEqual(topCustomers(csv, 2), [one('Mary', 1, '£1.50', '2025-01-01'), one('Kitty', 1, '£1.49', '2025-01-02')]);
  },
  'the limit is kept': (topCustomers) => {
    const { csv } = makeOrders(7, 200, 0);
    assert.equal(topCustomers(csv, 0).length, 0);
    assert.equal(topCustomers(csv, 4).length, 4);
  },
  'a realistic export gives the known answer': (topCustomers) => {
    for (const seed of [1, 2, 3]) {
      const { csv, expected } = makeOrders(seed, 700, 25);
      assert.deepEqual(topCustomers(csv, 25), expected);
    }
  },
  'two calls do not disturb each other': (topCustomers) => {
    const first = makeOrders(4, 300, 5);
    const second = makeOrders(5, 300, 5);
    topCustomers(first.csv, 5);
    assert.deepEqual(topCustomers(second.csv, 5), second.expected);
    assert.deepEqual(topCustomers(first.csv, 5), first.expected);
  },
};
