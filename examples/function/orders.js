/** Makes realistic order exports whose right answer is known, because the orders are drawn before they are written down. */

const FIRST = [
  'Anna', 'Béla', 'Chloë', 'Dag', 'Émile', 'Fitz', 'Greta', 'Hugo', 'Ines', 'José', 'Kitty', 'Lydia', 'Mary', 'Noël', 'Otto', 'Pia',
  'Quinn', 'Rosa', 'Søren', 'Tess', 'Ugo', 'Vera', 'Wim', 'Xenia', 'Yara', 'Zoé', 'Åsa', 'Björn', 'Clara', 'Dora',
];
const LAST = [
  'Bennet', 'Bingley', 'Collins', 'Darcy', 'De Bourgh', 'Fitzwilliam', 'Forster', 'Gardiner', 'Hurst', 'Jones', 'King', 'Lucas', 'Müller',
  "O'Brien", 'Philips', 'Pratt', 'Reynolds', 'Smith-Jones', 'Webb', 'Wickham',
];

/** A small seeded generator of numbers in [0, 1) (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** As people type it: shouting, in a hurry, with spaces, politely. */
function typed(name, random) {
  const way = Math.floor(random() * 16);
  if (way === 0) return name.toUpperCase();
  if (way === 1) return name.toLowerCase();
  if (way === 2) return ` ${name} `;
  if (way === 3) return name.replace(' ', '  ');
  if (way === 4) return `Miss ${name.replace("'", '\u2019')}`;
  return name;
}

/** 123450 → "1,234.50". */
function money(cents) {
  const pounds = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${pounds}.${String(cents % 100).padStart(2, '0')}`;
}

/** Returns `{ csv, expected }`: an export of `count` orders, and what topCustomers(csv, limit) has to return. */
export function makeOrders(seed, count, limit) {
  const random = randomNumbers(seed);
  const customers = new Map();
  const lines = ['date,customer,amount'];
  for (let order = 0; order < count; order += 1) {
    // The square makes some customers come often and many seldom.
    const pick = Math.floor(random() ** 2 * FIRST.length * LAST.length);
    const name = `${FIRST[pick % FIRST.length]} ${LAST[Math.floor(pick / FIRST.length)]}`;
    const cents = 100 + Math.floor(random() ** 3 * 400_000);
    const date = new Date(Date.UTC(2024, 0, 1 + Math.floor(random() * 700))).toISOString().slice(0, 10);
    const known = customers.get(name) ?? { name, orders: 0, cents: 0, lastOrder: '' };
    known.orders += 1;
    known.cents += cents;
    if (date > known.lastOrder) known.lastOrder = date;
    customers.set(name, known);
    const amount = money(cents);
    lines.push(`${date},${typed(name, random)},${amount.includes(',') ? `"${amount}"` : amount}`);
  }
  const expected = [...customers.values()]
    .sort((a, b) => b.cents - a.cents || a.name.localeCompare(b.name, 'en'))
    .slice(0, limit)
    .map(({ name, orders, cents, lastOrder }) => ({ name, orders, total: `£${money(cents)}`, lastOrder }));
  return { csv: `${lines.join('\n')}\n`, expected };
}
