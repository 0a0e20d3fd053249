// Reads responses, a line each, and says of each what independent parsers made of it, or what is wrong.
import { readFileSync } from 'node:fs';
import { parseRateLimit } from 'ratelimit-header-parser';
import { Token, parseDictionary, parseItem, parseList, serializeDictionary, serializeItem, serializeList } from 'structured-headers';

const SERVER_PARAMETERS = { 'RateLimit-Policy': ['q', 'w', 'qu', 'pk'], RateLimit: ['r', 't', 'pk'] };

function demand(condition, message) {
  if (!condition) {
    throw new Error(message);
  }
}

function integer(value, least, what) {
  demand(Number.isInteger(value) && value >= least, `${what} is ${value}`);
}

function parameters(name, all) {
  for (const [key, value] of all) {
    if (key === 'qu') {
      demand(typeof value === 'string', `qu of ${name} is no string`);
    } else if (key === 'pk') {
      demand(value instanceof ArrayBuffer, `pk of ${name} is no byte sequence`);
    } else {
      demand(SERVER_PARAMETERS[name].includes(key) || key.startsWith('compat-'), `${name} has ${key}`);
      integer(value, (key === 'w') ? 1 : 0, key);
    }
  }
}

function namedList(name, value, required) {
  const list = parseList(value);
  demand(list.length > 0, `${name} is empty`);
  demand(serializeList(list) === value, `${name} is not canonical`);
  for (const [item, all] of list) {
    demand(typeof item === 'string', `${name} has an item that is no string`);
    demand(all.has(required), `${name} lacks ${required}`);
    parameters(name, all);
  }
  return list;
}

function capacities(value) {
  const list = parseList(value);
  demand(serializeList(list) === value, 'RateLimit-Policy is not canonical');
  for (const [item, all] of list) {
    integer(item, 0, 'a capacity');
    integer(all.get('w'), 1, 'w');
  }
}

function number(name, value) {
  const item = parseItem(value);
  demand(serializeItem(item) === value, `${name} is not canonical`);
  integer(item[0], 0, name);
}

function dictionary(value) {
  const all = parseDictionary(value);
  demand(serializeDictionary(all) === value, 'RateLimit is not canonical');
  demand([...all.keys()].join() === 'limit,remaining,reset', 'RateLimit has other members');
  all.forEach(([member]) => integer(member, 0, 'a member'));
}

function structured(format, headers) {
  const older = format === 'DRAFT_7' || format === 'DRAFT_6';
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'Cache-Control') {
      demand(value === 'no-store', name);
    } else if (name === 'RateLimit-Policy') {
      (older) ? capacities(value) : namedList(name, value, 'q');
    } else if (name === 'RateLimit') {
      (older) ? dictionary(value) : namedList(name, value, 'r');
    } else if (name === 'X-RateLimit-Bucket') {
      demand(parseItem(value)[0] instanceof Token, name);
    } else {
      number(name, value);
    }
  }
  demand(headers['Retry-After'] !== '0', 'Retry-After is 0');
}

function read(headers) {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const now = Date.now();
  const read = parseRateLimit(lower);
  const reset = read?.reset?.getTime();
  return {
    limit: read?.limit ?? null,
    remaining: read?.remaining ?? null,
    resetEpochSeconds: Number.isFinite(reset) ? Math.floor(reset / 1000) : null,
    resetInSeconds: Number.isFinite(reset) ? Math.floor((reset - now) / 1000) : null
  };
}

for (const line of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  const { format, headers } = JSON.parse(line);
  try {
    structured(format, headers);
    console.log(JSON.stringify({ error: null, read: read(headers) }));
  } catch (error) {
    console.log(JSON.stringify({ error: `${error.message}: ${JSON.stringify(headers)}`, read: null }));
  }
}
