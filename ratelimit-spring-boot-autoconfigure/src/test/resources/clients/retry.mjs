// Uses up a limit with each client, asks once more, and says how often and how long the client asked.
import axios from 'axios';
import axiosRetry from 'axios-retry';
import got from 'got';
import ky from 'ky';

const base = process.argv[2];

const clients = {
  async got(url, headers, count) {
    const retry = {
      // Its own delay happens to be the same second.
      calculateDelay: ({ retryAfter, computedValue }) => (retryAfter === undefined) ? 0 : computedValue
    };
    const response = await got(url, { headers, retry, hooks: { beforeRequest: [() => count()] } });
    return response.statusCode;
  },
  async ky(url, headers, count) {
    const response = await ky(url, { headers, hooks: { beforeRequest: [() => count()] } });
    return response.status;
  },
  async 'axios-retry'(url, headers, count) {
    const client = axios.create();
    axiosRetry(client);
    client.interceptors.request.use((config) => {
      count();
      return config;
    });
    const response = await client.get(url, { headers });
    return response.status;
  }
};

await Promise.all(Object.entries(clients).map(async ([name, ask]) => {
  const headers = { 'X-Key': `${name}-${process.pid}` };
  const url = `${base}/clients/${name}`;
  const first = await fetch(url, { headers });
  let requests = 0;
  const start = performance.now();
  const status = await ask(url, headers, () => { requests++; });
  console.log(JSON.stringify({ name, first: first.status, status, requests, millis: performance.now() - start }));
}));
