import { test } from 'node:test';
import { checks } from './checks.js';
import { loadTarget } from './target.js';

const topCustomers = await loadTarget();
for (const [name, check] of Object.entries(checks)) test(name, () => check(topCustomers));
