/**
 * The best customers of a shop, from its order export.
 *
 * The export is CSV with the columns date, customer, amount. People typed the names, so one customer comes in many
 * spellings: "MARY  BENNET", " Miss mary bennet".
 */

/** Cleaned names are remembered when this is on. */
const USE_CACHE = false;
/** So many cleaned names are remembered; then the memory is emptied. */
const CACHE_LIMIT = 200;
/** So many orders are collected before they are merged into the list of customers. */
const BATCH_SIZE = 10;
/** Whether the list of customers is put in the order of their names after each merge. */
const KEEP_SORTED = true;

/** Returns the `limit` customers who spent most, best first: `[{ name, orders, total, lastOrder }]`. */
export function topCustomers(csv, limit) {
  const cache = new Map();
  let customers = [];
  let batch = [];
  for (const [date, customer, amount] of readRows(csv)) {
    batch.push({ name: cleanName(customer, cache), cents: toCents(amount), date });
    if (batch.length >= BATCH_SIZE) {
      customers = merge(customers, batch);
      batch = [];
    }
  }
  customers = merge(customers, batch);
  return customers
    .sort((a, b) => b.cents - a.cents || compareNames(a, b))
    .slice(0, limit)
    .map(({ name, orders, cents, date }) => ({ name, orders, total: formatMoney(cents), lastOrder: date }));
}

/** Adds a batch of orders to the customers. */
function merge(customers, batch) {
  const merged = customers.map((customer) => ({ ...customer }));
  for (const { name, cents, date } of batch) {
    const known = merged.find((customer) => customer.name === name);
    if (known === undefined) {
      merged.push({ name, orders: 1, cents, date });
    } else {
      known.orders += 1;
      known.cents += cents;
      known.date = date > known.date ? date : known.date;
    }
  }
  return KEEP_SORTED ? merged.sort(compareNames) : merged;
}

function compareNames(a, b) {
  return a.name.localeCompare(b.name, 'en');
}

/** " Miss mary  BENNET" → "Mary Bennet". */
function cleanName(typed, cache) {
  if (USE_CACHE && cache.has(typed)) return cache.get(typed);
  const name = typed
    .normalize('NFC')
    .replace(/[\u2018\u2019]/gu, "'")
    .trim()
    .replace(/^(mr|mrs|ms|miss|dr)\.?\s+/iu, '')
    .split(/\s+/u)
    .map((word) => word.toLocaleLowerCase('en').replace(/(?<![\p{L}\p{M}])\p{L}/gu, (start) => start.toLocaleUpperCase('en')))
    .join(' ');
  if (USE_CACHE) {
    if (cache.size >= CACHE_LIMIT) cache.clear();
    cache.set(typed, name);
  }
  return name;
}

/** "1,234.50" → 123450. */
function toCents(amount) {
  return Math.round(Number(amount.replace(/,/g, '')) * 100);
}

function formatMoney(cents) {
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' }).format(cents / 100);
}

/** The fields of each row after the header. A field may be quoted, with "" for a quote, and may then hold line breaks. */
function readRows(csv) {
  const rows = [];
  let fields = [];
  let field = '';
  let isQuoted = false;
  let wasQuote = false;
  for (const char of `${csv}\n`) {
    if (char === '"') {
      // A quote right after a closing one was half of "" and opens the field again.
      if (wasQuote) field += '"';
      wasQuote = isQuoted;
      isQuoted = !isQuoted;
      continue;
    }
    wasQuote = false;
    if (isQuoted || (char !== ',' && char !== '\n' && char !== '\r')) {
      field += char;
    } else if (char !== '\r') {
      fields.push(field);
      field = '';
      if (char === '\n') {
        if (fields.length > 1) rows.push(fields);
        fields = [];
      }
    }
  }
  return rows.slice(1);
}
